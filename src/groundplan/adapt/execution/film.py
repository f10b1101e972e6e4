"""A film of an execution: frames taken off screen while it runs, saved as an animated picture and as a strip."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.worlds.errors import RenderError
from groundplan.adapt.worlds.world import CONTROL_HZ, World
from groundplan.pddl.ast import Step

Frame = NDArray[np.uint8]


@dataclass
class Film:
    """Takes a frame every `every` control steps (a `Watch` of execution). Where nothing can be rendered, it says why in
    `trouble` and takes no more."""

    every: int = 5
    width: int = 320
    height: int = 240
    frames: list[tuple[str, Frame]] = field(default_factory=list)
    trouble: str = ""
    _steps: int = 0

    def __call__(self, world: World, step: Step) -> None:
        self._steps += 1
        if self.trouble or self._steps % self.every:
            return
        try:
            self.frames.append((str(step), world.render(self.width, self.height)))
        except RenderError as error:
            self.trouble = str(error)

    def gif(self) -> bytes:
        """All frames at the world's own speed, as an animated GIF."""
        from PIL import Image

        pictures = [Image.fromarray(frame) for _, frame in self.frames]
        file = io.BytesIO()
        lasts = round(1000 * self.every / CONTROL_HZ)
        pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=lasts, loop=0)
        return file.getvalue()

    def strip(self) -> bytes:
        """The last frame of each operator, side by side, as a PNG."""
        from PIL import Image

        last: dict[int, Frame] = {}
        number = 0
        for place, (name, frame) in enumerate(self.frames):
            if place and name != self.frames[place - 1][0]:
                number += 1
            last[number] = frame
        file = io.BytesIO()
        Image.fromarray(np.concatenate(list(last.values()), axis=1)).save(file, "PNG")
        return file.getvalue()
