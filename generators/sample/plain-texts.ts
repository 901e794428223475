import { drawBelow, pick, type Random, randomFrom } from "./random.ts";

/** The maximum length of generated strings, unless the schema requires longer ones. */
export const longestDrawn = 20_000;

/** Characters of one kind. All have the same number of UTF-16 units, so that `text` can be cut anywhere. */
interface CharacterClass {
  units: 1 | 2;
  text: string;
}

const classLength = 8192;

/** Creates a long string of the characters in random order. Strings are cut from it. */
function createClass(seed: number, characters: string): CharacterClass {
  const random = randomFrom(seed);
  const codePoints = [...characters];
  const text = Array.from({ length: classLength }, () => pick(random, codePoints)).join("");
  return { units: text.length === classLength ? 1 : 2, text };
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const words = createClass(1, `${letters}eeeaaoinst        `);
const otherClasses: readonly CharacterClass[] = [
  createClass(2, `${letters}${letters.toUpperCase()}0123456789 !#$%&'()*+,-./:;<=>?@[]^_{|}~`),
  createClass(3, "àâäçéèêëîïôöùûüÿßñøåæœĀłžабвгдежзиклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρσςτυφχψω "),
  createClass(4, "漢字日本語中文한국어조선글かなカナ你好世界สวัสดีनमस्ते"),
  createClass(5, "😀😃🚀🌍🎉👍👩💻🏽𝒜𝔘𐍈𠜎"),
  createClass(6, '"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u2028\u2029\u00a0\u200b\u200d\ufeff\ufffd '),
  createClass(7, "0123456789"),
  createClass(8, "e\u0301\u0308a\u030aעבריתالعربية\u202e\u202c"),
];

/** Draws a string of exactly `length` code points. */
export function textOf(random: Random, length: number): string {
  if (length === 0) return "";
  const choice = random.next() >>> 0;
  if ((choice & 3) !== 0) return cutText(words, choice >>> 8, length);
  const otherClass = pick(random, otherClasses);
  if (length < 2 || (choice & 4) === 0) return cutText(otherClass, choice >>> 8, length);
  const first = 1 + drawBelow(random, length - 1);
  return cutText(words, choice >>> 8, first) + cutText(otherClass, choice >>> 8, length - first);
}

function cutText({ units, text }: CharacterClass, offset: number, length: number): string {
  if (length > classLength) return text.repeat(Math.ceil(length / classLength)).slice(0, length * units);
  const start = offset % (classLength - length + 1);
  return text.slice(start * units, (start + length) * units);
}

/** Draws a length from `min` to `max`: mostly short, sometimes at a bound, sometimes anywhere between. */
export function lengthBetween(random: Random, min: number, max: number): number {
  const maxDrawn = Math.max(min, Math.min(max, longestDrawn));
  switch (random.next() & 15) {
    case 0:
      return min;
    case 1:
      return Number.isFinite(max) ? maxDrawn : min + drawBelow(random, 300);
    case 2:
    case 3:
    case 4:
    case 5:
      return min + drawBelow(random, (Number.isFinite(max) ? maxDrawn - min : 100) + 1);
    default:
      return min + drawBelow(random, Math.min(maxDrawn - min, 24) + 1);
  }
}
