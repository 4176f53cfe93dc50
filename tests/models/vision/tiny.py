"""Networks that see, of a few thousand parameters, random, built on the spot."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from teach_agents.models.local.packages import quiet
from tests.models.tiny import tokenizer

_SMALL = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 16,
    "patch_size": 8,
}
_WORDS = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "vocab_size": 420,
    "max_position_embeddings": 16,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 0,
}
_FORMER = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 16,
    "num_queries": 5,
    "use_timm_backbone": False,
    "use_pretrained_backbone": False,
    "backbone": None,
}
_SQUARE = {"height": 16, "width": 16}
_SIDES = {"shortest_edge": 32, "longest_edge": 64}
CLASSES = {0: "N/A", 1: "cup", 2: "refrigerator"}


def _pil(family: str, name: str, **options: Any) -> Any:
    """An image processor that needs no torchvision."""
    module = import_module(f"transformers.models.{family}.image_processing_pil_{family}")
    return getattr(module, f"{name}ImageProcessorPil")(**options)


def _saved(folder: Path, model: Any, processor: Any) -> Path:
    with quiet():
        model.save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder


def build_encoder(family: str, folder: Path) -> Path:
    """CLIP, SigLIP, DINOv2, ViT or ConvNeXT."""
    import torch

    library: Any = import_module("transformers")
    torch.manual_seed(0)
    cut = {"size": {"shortest_edge": 16}, "crop_size": _SQUARE}
    if family == "clip":
        config: Any = library.CLIPConfig(text_config=_WORDS, vision_config=_SMALL, projection_dim=12)
        return _saved(folder, library.CLIPModel(config), _pil("clip", "CLIP", **cut))
    if family == "siglip":
        config = library.SiglipConfig(text_config=_WORDS, vision_config=_SMALL)
        return _saved(folder, library.SiglipModel(config), _pil("siglip", "Siglip", size=_SQUARE))
    if family == "dinov2":
        return _saved(folder, library.Dinov2Model(library.Dinov2Config(**_SMALL)), _pil("bit", "Bit", **cut))
    if family == "vit":
        return _saved(folder, library.ViTModel(library.ViTConfig(**_SMALL)), _pil("vit", "ViT", size=_SQUARE))
    config = library.ConvNextConfig(hidden_sizes=[8, 8, 8, 12], depths=[1, 1, 1, 1])
    return _saved(folder, library.ConvNextModel(config), _pil("convnext", "ConvNext", size={"shortest_edge": 64}))


def build_detector(family: str, folder: Path) -> Path:
    """DETR or YOLOS, which have classes of their own; OWL-ViT or Grounding DINO, which are told what to look for."""
    import torch

    library: Any = import_module("transformers")
    torch.manual_seed(0)
    if family == "detr":
        config: Any = library.DetrConfig(backbone_config=_backbone("stage4"), id2label=CLASSES, **_FORMER)
        return _saved(folder, library.DetrForObjectDetection(config), _pil("detr", "Detr", size=_SIDES))
    if family == "yolos":
        sizes = {**_SMALL, "image_size": [32, 32], "num_detection_tokens": 5}
        config = library.YolosConfig(**sizes, id2label=CLASSES)
        return _saved(folder, library.YolosForObjectDetection(config), _pil("yolos", "Yolos", size=_SIDES))
    words = tokenizer(None)
    if family == "owlvit":
        words.model_max_length = 16
        config = library.OwlViTConfig(
            text_config=_WORDS, vision_config={**_SMALL, "image_size": 32}, projection_dim=_WORDS["hidden_size"]
        )
        pictures = _pil("owlvit", "OwlViT", size={"height": 32, "width": 32})
        processor: Any = library.OwlViTProcessor(image_processor=pictures, tokenizer=words)
        return _saved(folder, library.OwlViTForObjectDetection(config), processor)
    reading = library.BertConfig(**{**_WORDS, "max_position_embeddings": 512})
    config = library.GroundingDinoConfig(
        backbone_config=_backbone("stage2", "stage3", "stage4"),
        text_config=reading.to_dict(),
        num_feature_levels=3,
        **_FORMER,
    )
    pictures = _pil("grounding_dino", "GroundingDino", size={"shortest_edge": 64, "longest_edge": 128})
    processor = library.GroundingDinoProcessor(image_processor=pictures, tokenizer=words)
    return _saved(folder, library.GroundingDinoForObjectDetection(config), processor)


def build_depth(family: str, folder: Path) -> Path:
    """GLPN, which gives metres; DPT, which gives nearness on a scale of its own; Depth Anything of the metric kind."""
    import torch

    library: Any = import_module("transformers")
    torch.manual_seed(0)
    if family == "glpn":
        config: Any = library.GLPNConfig(
            hidden_sizes=[4, 4, 4, 4], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 1, 1], decoder_hidden_size=4
        )
        return _saved(folder, library.GLPNForDepthEstimation(config), _pil("glpn", "GLPN", size_divisor=32))
    heads = {"neck_hidden_sizes": [4, 4, 4, 4], "fusion_hidden_size": 4, "reassemble_factors": [4, 2, 1, 0.5]}
    sizes = {**_SMALL, "image_size": 32, "num_hidden_layers": 4}
    pictures = _pil("dpt", "DPT", size={"height": 32, "width": 32}, ensure_multiple_of=8)
    if family == "dpt":
        config = library.DPTConfig(**sizes, **heads, backbone_out_indices=[0, 1, 2, 3])
        return _saved(folder, library.DPTForDepthEstimation(config), pictures)
    stages = [f"stage{number}" for number in range(1, 5)]
    eyes = library.Dinov2Config(**sizes, out_features=stages, reshape_hidden_states=False)
    config = library.DepthAnythingConfig(
        backbone_config=eyes,
        patch_size=8,
        reassemble_hidden_size=16,
        head_hidden_size=4,
        depth_estimation_type="metric",
        max_depth=10,
        **heads,
    )
    return _saved(folder, library.DepthAnythingForDepthEstimation(config), pictures)


def _backbone(*stages: str) -> Any:
    made: Any = import_module("transformers").ResNetConfig
    return made(embedding_size=8, hidden_sizes=[8, 8, 8, 8], depths=[1, 1, 1, 1], out_features=list(stages))
