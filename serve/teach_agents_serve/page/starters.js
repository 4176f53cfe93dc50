// Requests to begin with, by the kind of room.

import { roomWords } from "./words.js";

const ANYWHERE = ["What do you see?"];
/** Of things that all rooms of a kind have. */
const KINDS = {
  Kitchen: ["Bring me an apple, please.", "Make me a cup of coffee.", "Wash the mug.", "What is in the fridge?", "Put the spoon in the sink."],
  "Living room": ["Turn off the lamp, please.", "Bring me the remote control.", "Is the television on?", "Put a pillow on the sofa.", "Where is the laptop?"],
  Bedroom: ["Where is my phone?", "Turn off the lamp, please.", "Bring me the book.", "Close the laptop.", "Put the pillow on the bed."],
  Bathroom: ["Is the shower on?", "Where is the towel?", "Bring me the toilet paper.", "Bring me a candle.", "Put the cloth in the sink."],
};
const OTHERWISE = ["What can you do?", "Come here, please.", "Look around.", "What did you do last?"];

/** What a person may say first in a room. */
export const starters = (room) => [...ANYWHERE, ...(KINDS[roomWords(room ?? "").replace(/ \d+$/, "")] ?? OTHERWISE)];
