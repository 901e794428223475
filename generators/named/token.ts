import { type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { show } from "../faults/fault.ts";
import { lookAlike } from "../regex/look-alike.ts";
import type { Candidate } from "./candidate.ts";
import { parentAt, parentsWith } from "./parents.ts";

type TokenVariant = [fault: string, detail: string | undefined, value: Json, says: string, refusedOnly?: true];

/** Proposes every malformed variant of a token, at each member that is a token. */
export function* tokens(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  for (const { at } of subject.named?.tokens ?? []) {
    const parent = parentWithToken(subject, valid, at);
    const token = parent === undefined ? undefined : pointer.at(at, parent.data);
    if (parent === undefined || typeof token !== "string") continue;
    const name = pointer.segments(at).join(".");
    const head = { family: "token", parent, at } as const;
    yield { ...head, fault: "token-absent", change: [{ op: "remove", path: at }], description: `${name} is absent` };
    const isAccepted = (value: Json): boolean => {
      const whole = applyChanges(parent.data, [{ op: "replace", path: at, value }]);
      return whole !== undefined && isValid(subject.model, whole);
    };
    for (const [fault, detail, value, says, refusedOnly] of variantsOf(token, isAccepted, subject))
      yield {
        ...head,
        fault,
        change: [{ op: "replace" as const, path: at, value }],
        ...(detail === undefined ? {} : { detail }),
        ...(refusedOnly === undefined ? {} : { refusedOnly }),
        description: `${name} is ${escapeInvisible(show(value))}, ${says}`,
      };
  }
}

/** Escapes characters that may be invisible or misleading. */
function escapeInvisible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Finds the smallest parent with a token of more than three characters, or else the smallest with any token. */
function parentWithToken(subject: Subject, valid: readonly Draft[], at: string): Draft | undefined {
  const [parentOfLongToken] = parentsWith(
    subject,
    valid,
    (instance) => String(pointer.at(at, instance) ?? "").length > 3,
  );
  return parentOfLongToken ?? parentAt(subject, valid, at);
}

/** Lengths just over common limits of tokens. */
const lengths = [33, 65, 129, 257, 513, 1025];

function variantsOf(token: string, isAccepted: (value: Json) => boolean, { named }: Subject): TokenVariant[] {
  const characters = [...token];
  const middle = Math.ceil(characters.length / 2);
  const insert = (inserted: string): string =>
    characters.slice(0, middle).join("") + inserted + characters.slice(middle).join("");
  const otherCase = token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase();
  const shortened = characters.map((_, index) => characters.slice(0, characters.length - 1 - index).join(""));
  const tooShort = shortened.find((candidate) => candidate !== "" && !isAccepted(candidate));
  const lengthened = lengths.map(
    (length) => token + (characters.at(-1) ?? "").repeat(Math.max(1, length - characters.length)),
  );
  const longToken = lengthened.find((each) => !isAccepted(each)) ?? (lengthened.at(-1) as string);
  const wrongAlphabet = ["-", "_", "+", "/", "=", ".", "g", "!"].map(insert).find((each) => !isAccepted(each));
  const otherTokens = named?.kin.filter((each) => each !== token && prefixOf(each) !== prefixOf(token)) ?? [];
  const refuseToken = (fault: string, detail: string, value: Json, says: string): TokenVariant => [
    fault,
    detail,
    value,
    says,
    true,
  ];
  return [
    refuseToken("token-too-short", "empty", "", "an empty text"),
    ...(tooShort === undefined ? [] : [["token-too-short", undefined, tooShort, "only its beginning"] as TokenVariant]),
    [
      isAccepted(longToken) ? "token-long" : "token-too-long",
      undefined,
      longToken,
      `with ${[...longToken].length} characters`,
    ],
    ...(wrongAlphabet === undefined
      ? []
      : [["token-wrong-alphabet", undefined, wrongAlphabet, "with a character of another alphabet"] as TokenVariant]),
    refuseToken("token-wrong-alphabet", "percent-encoded", insert("%20"), "percent-encoded"),
    ["token-wrong-alphabet", "base64", Buffer.from(token).toString("base64"), "in Base64"],
    refuseToken("token-wrong-alphabet", "quoted", `"${token}"`, "in quotes"),
    refuseToken("token-wrong-alphabet", "nul", insert("\u0000"), "with the character NUL inside"),
    ["token-wrong-case", undefined, otherCase, "in the other case"],
    refuseToken("token-white-space", "before", ` ${token}`, "with a space before it"),
    refuseToken("token-white-space", "after", `${token} `, "with a space after it"),
    ["token-white-space", "inside", insert(" "), "with a space inside"],
    refuseToken("token-white-space", "line-feed", `${token}\n`, "with a line feed after it"),
    refuseToken("token-white-space", "no-break", `${token}\u00a0`, "with a no-break space after it"),
    refuseToken("token-look-alike", "letter", lookAlike(token), "with a letter that only looks like its own"),
    refuseToken("token-look-alike", "full-width", insert("\uff11"), "with a full-width digit"),
    ["token-not-normalised", "decomposed", insert("e\u0301"), "with an accent as a separate character"],
    refuseToken("token-not-normalised", "zero-width", insert("\u200b"), "with a zero-width space inside"),
    refuseToken("token-not-normalised", "byte-order-mark", `\ufeff${token}`, "with a byte order mark before it"),
    refuseToken("token-wrong-type", "null", null, "which is not a token"),
    refuseToken("token-wrong-type", "number", 12345, "a number"),
    refuseToken("token-wrong-type", "list", [token], "in a list"),
    ...otherTokens.map((each) => refuseToken("token-of-another-kind", prefixOf(each), each, "a token of another kind")),
  ];
}

/** Returns the prefix that all tokens of a kind share, up to the first separator. Empty if there is none. */
export function prefixOf(token: string): string {
  return /^[A-Za-z]+(?=[_-])/.exec(token)?.[0] ?? "";
}
