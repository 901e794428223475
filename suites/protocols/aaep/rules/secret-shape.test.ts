import { describe, expect, it } from "vitest";
import { findPrivateNumber, findSecret, hasValidCheckDigit } from "./secret-shape.ts";

describe("findSecret", () => {
  it.each([
    "api_key=sk-AbC123dEf456GhI7",
    "sk-ant-api03-AbC123dEf456GhI789",
    "xoxb-123456789012-abcdef",
    "github_pat_11ABCDEFG0abcdefghijkl",
    "sk_live_AbC123dEf456GhI7",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "PASSWORD=Curlew10",
    "db_password = 'curlew10'",
    '{"client_secret": "q7Zt4wXk3m9P"}',
    "postgres://ines:curlew10@db.example/tides",
    "Bearer q7Zt4wXk3m9PlD2eRv",
  ])("finds a secret in %s", (text) => {
    expect(findSecret(text)).toBeTypeOf("string");
  });

  it.each([
    "task-list",
    "risk-level",
    "Desk-side",
    "Reset your password",
    "task-managementworkflows and desk-sideassistance2024",
    "password=****",
    "password=<your password>",
    "password: required",
    "password=required",
    "password=$DB_PASSWORD",
    "api_key=sk-...3f2a",
    "token=sk-••••3f2a",
    "max_tokens=40961234",
    "next_page_token=abc123def456",
    "bearer administrationsoffice",
    "-----BEGIN CERTIFICATE-----",
    "https://harbour.example:8080/tides@noon",
    "AKIA",
    "ghp_short",
    "My secret: always check the tide table first",
  ])("finds no secret in %s", (text) => {
    expect(findSecret(text)).toBeUndefined();
  });

  it("searches long strings of near matches quickly", () => {
    for (const piece of [
      "sk-",
      "a-",
      "password",
      "eyJ",
      "-eyJaaaaaaaa.",
      "://a:",
      '"',
      "bearer ",
      "4111 ",
      "1234567890123 ",
    ])
      expect([findSecret(piece.repeat(20_000)), findPrivateNumber(piece.repeat(20_000))]).toHaveLength(2);
  });
});

describe("findPrivateNumber", () => {
  it.each([
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "378282246310005",
    "3782 822463 10005",
    "(6011000990139424)",
    "4222222222222",
  ])("finds a card number in %s", (text) => {
    expect(findPrivateNumber(text)).toBe("a card number");
  });

  it.each(["123-45-6789", "Yours: 899-01-0001."])("finds a social security number in %s", (text) => {
    expect(findPrivateNumber(text)).toBe("a social security number");
  });

  it.each([
    "4111 1111 1111 1112",
    "4111 1111-1111 1111",
    "411111111111",
    "41111111111111111111111",
    "id_4111111111111111",
    "4111111111111111-a",
    "0000000000000000",
    "000-45-6789",
    "666-45-6789",
    "900-45-6789",
    "123-00-6789",
    "123-45-0000",
    "123-45-67890",
    "2026-01-15 09-30-00",
  ])("finds no private number in %s", (text) => {
    expect(findPrivateNumber(text)).toBeUndefined();
  });

  it("checks digits by Luhn's algorithm", () => {
    expect(["0", "18", "79927398713", "4012888888881881"].map(hasValidCheckDigit)).toEqual([true, true, true, true]);
    expect(["1", "81", "79927398710", "4012888888881882"].map(hasValidCheckDigit)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
