"""What every MessageBus must do, as tests that an implementation inherits.

```python
class TestMyBus(MessageBusContract):
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        return MyBus(capacity=capacity, patience=patience)
```

A bus that writes its messages is given the codec of the suite's world and the suite's plugin: `CODEC`, `plugged()`.
"""

from __future__ import annotations

from teach_agents.core.bus.conformance.delivery import DeliveryContract
from teach_agents.core.bus.conformance.scene import CODEC, plugged
from teach_agents.core.bus.conformance.strangers import StrangersContract

__all__ = ["CODEC", "MessageBusContract", "plugged"]


class MessageBusContract(DeliveryContract, StrangersContract):
    """Inherit, say how a bus is made, and pytest runs the contract."""
