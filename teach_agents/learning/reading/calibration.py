"""Confidence of readings, fitted to how often readings like them are right (Platt 1999, on several features)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

_PENALTY = 1e-2
_STEPS = 200


def fitted(judged: Sequence[tuple[Mapping[str, float], bool]]) -> dict[str, float]:
    """The weight of each feature, from the features of readings and whether each was right."""
    names = list(judged[0][0])
    told = torch.tensor([[features[name] for name in names] for features, _ in judged])
    right = torch.tensor([float(one) for _, one in judged])
    weights = torch.zeros(len(names), requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(told @ weights, right)
        loss = loss + _PENALTY * (weights**2).sum() / 2
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    return {name: round(float(weight), 4) for name, weight in zip(names, weights.detach(), strict=True)}
