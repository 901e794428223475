import { below, pick, type Random, randomFrom } from "./random.ts";

/** Longer strings than this are not drawn unless the schema asks for them. */
export const longestDrawn = 20_000;

/** Characters of one kind; all of the same number of UTF-16 units, so that a text of them can be cut anywhere. */
interface CharacterClass {
  units: 1 | 2;
  text: string;
}

const size = 8192;

/** A long text of characters in random order, from which strings are cut. */
function alphabet(seed: number, characters: string): CharacterClass {
  const random = randomFrom(seed);
  const all = [...characters];
  const text = Array.from({ length: size }, () => pick(random, all)).join("");
  return { units: text.length === size ? 1 : 2, text };
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const words = alphabet(1, `${letters}eeeaaoinst        `);
const others: readonly CharacterClass[] = [
  alphabet(2, `${letters}${letters.toUpperCase()}0123456789 !#$%&'()*+,-./:;<=>?@[]^_{|}~`),
  alphabet(3, "àâäçéèêëîïôöùûüÿßñøåæœĀłžабвгдежзиклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρσςτυφχψω "),
  alphabet(4, "漢字日本語中文한국어조선글かなカナ你好世界สวัสดีनमस्ते"),
  alphabet(5, "😀😃🚀🌍🎉👍👩💻🏽𝒜𝔘𐍈𠜎"),
  alphabet(6, '"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u2028\u2029\u00a0\u200b\u200d\ufeff\ufffd '),
  alphabet(7, "0123456789"),
  alphabet(8, "e\u0301\u0308a\u030aעבריתالعربية\u202e\u202c"),
];

/** A text of exactly `length` code points. */
export function textOf(random: Random, length: number): string {
  if (length === 0) return "";
  const choice = random.next() >>> 0;
  if ((choice & 3) !== 0) return cut(words, choice >>> 8, length);
  const other = pick(random, others);
  if (length < 2 || (choice & 4) === 0) return cut(other, choice >>> 8, length);
  const first = 1 + below(random, length - 1);
  return cut(words, choice >>> 8, first) + cut(other, choice >>> 8, length - first);
}

function cut({ units, text }: CharacterClass, place: number, length: number): string {
  if (length > size) return text.repeat(Math.ceil(length / size)).slice(0, length * units);
  const start = place % (size - length + 1);
  return text.slice(start * units, (start + length) * units);
}

/** A length from `min` to `max`: mostly short, sometimes at a bound, sometimes anywhere between. */
export function lengthBetween(random: Random, min: number, max: number): number {
  const most = Math.max(min, Math.min(max, longestDrawn));
  switch (random.next() & 15) {
    case 0:
      return min;
    case 1:
      return Number.isFinite(max) ? most : min + below(random, 300);
    case 2:
    case 3:
    case 4:
    case 5:
      return min + below(random, (Number.isFinite(max) ? most - min : 100) + 1);
    default:
      return min + below(random, Math.min(most - min, 24) + 1);
  }
}
