"""The signatures of every action that can be asked for (AI2-THOR specification 2.3-2.5).

One line each: `Name parameter:Type parameter:Type?`, a question mark for what may be left out. A line that begins
with `*` is one of AI2-THOR's old actions, which ignore parameters that they do not know. Two lines of one name are two
ways to call it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

_OBJECT = "objectId:String? x:Single? y:Single? forceAction:Boolean?"
_MOVE = (
    "moveMagnitude:Single? noise:Single? forceAction:Boolean? manualInteract:Boolean? objectId:String? "
    "maxAgentsDistance:Single? allowAgentsToIntersect:Boolean?"
)
_TURN = "degrees:Single? manualInteract:Boolean? forceAction:Boolean? speed:Single? returnToStart:Boolean?"
_PUT = "forceAction:Boolean? placeStationary:Boolean? randomSeed:Int32?"
_OPEN = (
    "forceAction:Boolean? openness:Single? returnToStart:Boolean? ignoreAgentInTransition:Boolean? "
    "stopAtNonStaticCol:Boolean? useGripper:Boolean? physicsInterval:Single? simplifyPhysics:Boolean? "
    "moveMagnitude:Single?"
)
_CAMERA = (
    "fieldOfView:Single? skyboxColor:String? orthographic:Boolean? orthographicSize:Single? "
    "nearClippingPlane:Single? farClippingPlane:Single? antiAliasing:String?"
)
_POSE = "rotation:Vector3? horizon:Single? standing:Boolean? forceAction:Boolean?"

_TABLE = f"""
MoveAhead {_MOVE}
MoveBack {_MOVE}
MoveLeft {_MOVE}
MoveRight {_MOVE}
RotateLeft {_TURN}
RotateRight {_TURN}
*LookUp degrees:Single? manualInteract:Boolean? forceAction:Boolean?
*LookDown degrees:Single? manualInteract:Boolean? forceAction:Boolean?
Teleport position:Vector3? {_POSE}
Teleport x:Single y:Single z:Single {_POSE}
TeleportFull position:Vector3 rotation:Vector3 horizon:Single standing:Boolean forceAction:Boolean?
TeleportFull x:Single y:Single z:Single rotation:Vector3 horizon:Single standing:Boolean forceAction:Boolean?
Crouch
Stand
Pass
Done
NoOp
GetReachablePositions gridSize:Single? maxStepCount:Int32? directionsRelativeAgent:Boolean? visualize:Boolean?
GetInteractablePoses objectId:String positions:List? rotations:List? horizons:List? standings:List? \
maxDistance:Single? maxPoses:Int32?
GetShortestPath objectId:String? objectType:String? position:Vector3? rotation:Vector3? allowedError:Single?
GetShortestPathToPoint target:Vector3 position:Vector3? allowedError:Single?
ObjectNavExpertAction objectId:String? objectType:String? position:Vector3?
PickupObject objectId:String forceAction:Boolean? manualInteract:Boolean?
PickupObject x:Single y:Single forceAction:Boolean? manualInteract:Boolean?
PutObject objectId:String {_PUT}
PutObject x:Single y:Single {_PUT} putNearXY:Boolean?
PlaceHeldObject objectId:String {_PUT} maxDistance:Single?
PlaceHeldObject x:Single y:Single {_PUT} putNearXY:Boolean? maxDistance:Single?
DropHeldObject forceAction:Boolean? autoSimulation:Boolean?
DropHandObject forceAction:Boolean? autoSimulation:Boolean?
ThrowObject moveMagnitude:Single? forceAction:Boolean? autoSimulation:Boolean?
OpenObject objectId:String {_OPEN}
OpenObject x:Single y:Single {_OPEN}
CloseObject objectId:String forceAction:Boolean?
CloseObject x:Single y:Single forceAction:Boolean?
ToggleObjectOn objectId:String forceAction:Boolean?
ToggleObjectOn x:Single y:Single forceAction:Boolean?
ToggleObjectOff objectId:String forceAction:Boolean?
ToggleObjectOff x:Single y:Single forceAction:Boolean?
*SliceObject {_OBJECT}
*BreakObject {_OBJECT}
*CookObject {_OBJECT}
*DirtyObject {_OBJECT}
*CleanObject {_OBJECT}
*FillObjectWithLiquid {_OBJECT} fillLiquid:String?
*EmptyLiquidFromObject {_OBJECT}
*UseUpObject {_OBJECT}
*PushObject {_OBJECT} moveMagnitude:Single?
*PullObject {_OBJECT} moveMagnitude:Single?
*DirectionalPush {_OBJECT} moveMagnitude:Single? pushAngle:Single?
*ApplyForceObject {_OBJECT} moveMagnitude:Single?
*TouchThenApplyForce x:Single? y:Single? handDistance:Single? direction:Vector3? moveMagnitude:Single?
MoveHeldObject right:Single? up:Single? ahead:Single? forceVisible:Boolean?
MoveHeldObjectAhead moveMagnitude:Single forceVisible:Boolean?
MoveHeldObjectBack moveMagnitude:Single forceVisible:Boolean?
MoveHeldObjectLeft moveMagnitude:Single forceVisible:Boolean?
MoveHeldObjectRight moveMagnitude:Single forceVisible:Boolean?
MoveHeldObjectUp moveMagnitude:Single forceVisible:Boolean?
MoveHeldObjectDown moveMagnitude:Single forceVisible:Boolean?
RotateHeldObject pitch:Single? yaw:Single? roll:Single?
RotateHeldObject rotation:Vector3
*Initialize gridSize:Single? snapToGrid:Boolean? rotateStepDegrees:Single? visibilityDistance:Single? \
fieldOfView:Single? agentMode:String? agentCount:Int32? timeScale:Single? fastActionEmit:Boolean? renderImage:Boolean? \
renderDepthImage:Boolean?
*Reset sceneName:String?
GetScenesInBuild
*ChangeResolution x:Single y:Single
*ChangeQuality quality:String?
*ChangeFOV fieldOfView:Single
*CreateHouse
InitialRandomSpawn randomSeed:Int32? forceVisible:Boolean? placeStationary:Boolean? numDuplicatesOfType:List? \
excludedReceptacles:List? excludedObjectIds:List? objectIds:List? receptacleObjectIds:List? \
numPlacementAttempts:Int32? allowFloor:Boolean? allowMoveable:Boolean?
*SetObjectPoses objectPoses:List? placeStationary:Boolean?
*SetObjectStates SetObjectStates:Map?
PlaceObjectAtPoint objectId:String position:Vector3? positions:List? rotation:Vector3? forceKinematic:Boolean?
TeleportObject objectId:String position:Vector3? positions:List? rotation:Vector3? forceAction:Boolean? \
forceKinematic:Boolean? allowTeleportOutOfHand:Boolean? makeUnbreakable:Boolean?
GetSpawnCoordinatesAboveReceptacle objectId:String anywhere:Boolean?
RemoveFromScene objectId:String
RemoveFromScene objectIds:List
DisableObject objectId:String
EnableObject objectId:String
GetObjectInFrame x:Single y:Single checkVisible:Boolean?
GetCoordinateFromRaycast x:Single y:Single
PerformRaycast origin:Vector3 destination:Vector3
GetVisibleObjects maxDistance:Single? visibilityScheme:String? thirdPartyCameraIndex:Int32? objectIds:List?
GetObjectMetadata objectIds:List?
GetMinimalObjectMetadata
SetObjectFilter objectIds:List
SetObjectFilterForType objectTypes:List
ResetObjectFilter
AddThirdPartyCamera position:Vector3 rotation:Vector3 {_CAMERA}
UpdateThirdPartyCamera thirdPartyCameraId:Int32? position:Vector3? rotation:Vector3? {_CAMERA}
GetMapViewCameraProperties
ToggleMapView
GetSceneBounds
RandomizeMaterials useTrainMaterials:Boolean? useValMaterials:Boolean? useTestMaterials:Boolean? inRoomTypes:List?
ResetMaterials
RandomizeLighting brightness:List? randomizeColor:Boolean? hue:List? saturation:List? synchronized:Boolean?
ResetLighting
RandomizeColors
ResetColors
PausePhysicsAutoSim
UnpausePhysicsAutoSim
AdvancePhysicsStep timeStep:Single? simSeconds:Single? allowAutoSimulation:Boolean?
MakeAllObjectsMoveable
MakeAllObjectsStationary
MakeAllObjectsUnbreakable
MakeObjectsOfTypeUnbreakable objectType:String
SetRandomSeed seed:Int32
SetMassProperties objectId:String mass:Single drag:Single angularDrag:Single
EnableTemperatureDecay
DisableTemperatureDecay
SetTemperatureDecayTime decayTime:Single objectId:String?
"""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return _is_number(value) and float(value).is_integer()  # type: ignore[arg-type]  # a number by now


def _is_vector(value: object) -> bool:
    return isinstance(value, Mapping) and all(_is_number(value.get(axis, 0.0)) for axis in "xyz")


_TESTS: Mapping[str, Callable[[object], bool]] = {
    "Boolean": lambda value: isinstance(value, bool),
    "Int32": _is_whole,
    "List": lambda value: isinstance(value, list | tuple),
    "Map": lambda value: isinstance(value, Mapping),
    "Single": _is_number,
    "String": lambda value: isinstance(value, str),
    "Vector3": _is_vector,
}


class Parameter(NamedTuple):
    """One parameter: its name, its .NET type, and whether it must be given."""

    name: str
    type: str
    required: bool

    def __str__(self) -> str:
        return f"{self.type} {self.name}" + ("" if self.required else " = default")

    def holds(self, value: object) -> bool:
        """Whether a value can be given for it."""
        return _TESTS[self.type](value)


class Signature:
    """One way to call an action. `lenient` ones ignore what they do not know."""

    def __init__(self, parameters: tuple[Parameter, ...], lenient: bool) -> None:
        self.parameters = parameters
        self.lenient = lenient

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its parameters."""
        return frozenset(parameter.name for parameter in self.parameters)


def signatures_of(name: str) -> tuple[Signature, ...]:
    """The ways to call an action, none for an unknown one."""
    return _table().get(name, ())


def action_names() -> tuple[str, ...]:
    """Every action there is, in the table's order."""
    return tuple(_table())


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[Signature, ...]]:
    found: dict[str, tuple[Signature, ...]] = {}
    for line in _TABLE.strip().splitlines():
        name, *parameters = line.split()
        signature = Signature(tuple(map(_parameter, parameters)), name.startswith("*"))
        name = name.removeprefix("*")
        found[name] = (*found.get(name, ()), signature)
    return found


def _parameter(text: str) -> Parameter:
    name, _, kind = text.partition(":")
    return Parameter(name, kind.removesuffix("?"), not kind.endswith("?"))
