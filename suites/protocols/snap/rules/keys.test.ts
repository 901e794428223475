import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { home } from "../../../../schemas/index.ts";
import { addressFor, decodeAddress, hasForm, networkOf } from "./address.ts";
import { addressFacts, keyFacts } from "./facts.fixture.ts";
import { keyA, keyB, keyC, keyIn, keyOf, outputKey } from "./keys.ts";

describe.each(Object.entries(keyFacts))("the test key %s", (name, { tweaked, internal, output, main, test }) => {
  const key = { a: keyA, b: keyB, c: keyC }[name] as typeof keyA;

  it("is the key that other implementations derive from its private key", () => {
    expect([bytesToHex(key.tweaked), key.internal, key.output]).toEqual([tweaked, internal, output]);
    expect(key.address).toEqual({ main, test });
  });

  it.each([main, test])("is read from its address %s", (address) => {
    expect(decodeAddress(address)).toEqual({ key: hexToBytes(output) });
    expect(addressFor(hexToBytes(output), networkOf(address))).toBe(address);
    expect(keyOf(address)).toBe(key);
  });

  it("has an output key that follows from the public key alone", () => {
    expect(bytesToHex(outputKey(hexToBytes(internal)))).toBe(output);
    expect(bytesToHex(outputKey(hexToBytes(output)))).not.toBe(output);
  });
});

it("lists each test key in vectors/README.md, with its byte and its address", () => {
  const page = readFileSync(join(home, "vectors/README.md"), "utf8");
  const rows = Object.entries({ A: keyA, B: keyB, C: keyC }).map(([name, { secret, address }]) => {
    const byte = bytesToHex(secret.subarray(0, 1));
    expect(bytesToHex(secret)).toBe(byte.repeat(32));
    return `| ${name} | \`${byte}\` | \`${address.main}\` |`;
  });
  expect(page).toContain(rows.join("\n"));
});

describe("an invalid address", () => {
  it.each(addressFacts.filter(([, fault]) => fault !== undefined))("%s has the fault %s", (address, fault) => {
    expect(hasForm(address)).toBe(true);
    expect(decodeAddress(address)).toMatchObject({ fault });
  });

  it.each(addressFacts.filter(([, fault]) => fault === undefined))(
    "%s does not have the form of an address",
    (address) => {
      expect(hasForm(address)).toBe(false);
    },
  );

  it("may have a wrong version, a program of a wrong length, or padding", () => {
    const reasons = addressFacts
      .map(([address]) => decodeAddress(address))
      .flatMap((decoded) => ("why" in decoded ? [decoded.why] : []));
    expect(reasons).toContain("has witness version 2, not 1");
    expect(reasons).toContain("has a program that is not of 32 bytes");
    expect(reasons).toContain("has padding bits that are not zero");
  });
});

describe("the key of a record", () => {
  it("is undefined if the private key is out of range, or not a key", () => {
    const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    for (const privateKey of ["0".repeat(64), order, "f".repeat(64), "0a", 12, null])
      expect(keyIn({ privateKey })).toBeUndefined();
    expect(keyIn({ privateKey: "0a".repeat(32) })).toEqual(keyA);
    expect(keyIn([])).toBeUndefined();
  });
});
