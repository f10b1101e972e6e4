"""Pictures of a world without a display."""

from __future__ import annotations

import importlib
import os
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.worlds.errors import RenderError

_BACKENDS = ("egl", "osmesa", "glfw")
_WAY_OUT = (
    "On Debian and Ubuntu `apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri` brings what MUJOCO_GL=egl needs, "
    "`apt-get install libosmesa6` what MUJOCO_GL=osmesa needs. Everything but pictures works without."
)


class Camera:
    """Makes its graphics context at the first picture, so that worlds without pictures need no graphics library."""

    def __init__(self, model: Any, name: str = "front") -> None:
        self._model, self._name = model, name
        self._window: Any = None
        self._context: Any = None

    def picture(self, data: Any, width: int, height: int) -> NDArray[np.uint8]:
        """(height, width, 3); raises RenderError, and ValueError for a size that is not within 1 and 1280."""
        if not (1 <= width <= 1280 and 1 <= height <= 1280):
            raise ValueError(f"a picture is 1 to 1280 pixels wide and high, not {width} x {height}")
        if self._context is None:
            self._open()
        self._window.make_current()
        scene, camera = mujoco.MjvScene(self._model, maxgeom=400), mujoco.MjvCamera()
        camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        camera.fixedcamid = self._model.camera(self._name).id
        every = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(self._model, data, mujoco.MjvOption(), None, camera, every, scene)
        pixels = np.empty((height, width, 3), dtype=np.uint8)
        area = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(area, scene, self._context)
        mujoco.mjr_readPixels(pixels, None, area, self._context)
        return np.flipud(pixels).copy()

    def close(self) -> None:
        if self._context is not None:
            self._context.free()
            self._window.free()
            self._context = self._window = None

    def _open(self) -> None:
        asked = os.environ.get("MUJOCO_GL", "").strip().lower()
        tried = (asked,) if asked in _BACKENDS else _BACKENDS
        platform = os.environ.get("PYOPENGL_PLATFORM")
        found = []
        for backend in tried:
            if platform is None:  # a backend that failed leaves its own name there, and the next one refuses it
                os.environ.pop("PYOPENGL_PLATFORM", None)
            try:
                window = importlib.import_module(f"mujoco.{backend}").GLContext(1280, 1280)
                window.make_current()
                context = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
                mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, context)
            except Exception as error:  # noqa: BLE001 - graphics libraries fail with errors of every type
                found.append(f"{backend}: {type(error).__name__}: {error}")
            else:
                self._window, self._context = window, context
                return
        raise RenderError(f"no off-screen renderer works here ({'; '.join(found)}). {_WAY_OUT}")
