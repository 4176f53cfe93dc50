// Requests to begin with, by the kind of room.

import { roomWords } from "./words.js";

const ANYWHERE = ["What do you see?", "What can you do?"];
const KINDS = {
  Kitchen: ["Bring me an apple, please.", "Make me a cup of coffee.", "Wash the mug.", "What is in the fridge?"],
  "Living room": ["Turn on the lamp, please.", "Bring me the remote control.", "Is the television on?", "Put the book on the sofa."],
  Bedroom: ["Where is my phone?", "Turn on the lamp, please.", "Bring me the pillow.", "Put the book on the desk."],
  Bathroom: ["Bring me the soap, please.", "Turn on the tap.", "Where is the towel?", "Put the toilet paper on the counter."],
};

/** What a person may say first in a room; in one of no known kind, what goes anywhere. */
export const starters = (room) => [...ANYWHERE, ...(KINDS[roomWords(room ?? "").replace(/ \d+$/, "")] ?? ["Come here, please.", "Look around."])];
