import { isObject, type Json } from "../../../../schemas/index.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { keyIn } from "./crypto.ts";
import { sizeOf } from "./json.ts";
import { isPrivate, isUri } from "./url.ts";

const requiredMembers = "name description version identity skills defaultInputModes defaultOutputModes";
const allMembers = `${requiredMembers} endpoints nostrRelays protocolVersion supportedVersions capabilities trust provider iconUrl documentationUrl`;

/** The maximum size of a card. */
const maxBytes = 65_536;

export function checkCard(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, allMembers, { requiredNames: requiredMembers, isOpen: true })) return;
  const uri = (text: Json, path: string): void => checkLink(check, text, path);
  const media = (type: Json, path: string): boolean => check.text(type, path, { max: 128, form: forms.media });
  const version = (text: Json, path: string): boolean => check.text(text, path, { form: forms.version });
  check.members(value, at, {
    name: (name, path) => check.text(name, path, { min: 1, max: 128 }),
    description: (text, path) => check.text(text, path, { min: 1, max: 1024 }),
    version: (text, path) => check.text(text, path, { form: forms.release }),
    identity(member, path) {
      if (!check.text(member, path, { form: forms.address })) return;
      const decodedKey = keyIn(member);
      if ("why" in decodedKey) check.addCodeFault(path, decodedKey.why);
    },
    endpoints: (list, path) => check.list(list, path, [1, 10], (each, path) => checkEndpoint(check, each, path)),
    nostrRelays: (list, path) => check.list(list, path, [1, 10], (each, path) => checkRelay(check, each, path)),
    protocolVersion: version,
    supportedVersions: (list, path) => check.list(list, path, [1, 20], version),
    capabilities: (member, path) => checkCapabilities(check, member, path),
    skills: (list, path) => checkSkills(check, list, path),
    defaultInputModes: (list, path) => check.list(list, path, [1, 20], media),
    defaultOutputModes: (list, path) => check.list(list, path, [1, 20], media),
    trust(member, path) {
      if (check.object(member, path, "domain", { requiredNames: "domain" }))
        check.text(member.domain, `${path}/domain`, { max: 253 });
    },
    provider(member, path) {
      if (!check.object(member, path, "organization url")) return;
      check.members(member, path, { organization: (name, path) => check.text(name, path, { max: 256 }), url: uri });
    },
    iconUrl: uri,
    documentationUrl: uri,
  });
  if (sizeOf(value) > maxBytes) check.addCodeFault(at, "is too large");
  const { protocolVersion, supportedVersions } = value;
  if (typeof protocolVersion === "string" && Array.isArray(supportedVersions))
    if (!supportedVersions.includes(protocolVersion)) check.addCodeFault(`${at}/protocolVersion`, "is not supported");
}

function checkLink(check: DocumentCheck, text: Json, at: string): void {
  if (check.text(text, at, { max: 2048 }) && check.strict("formats") && !isUri(text, check.strict("url-host")))
    check.addFormFault(at, "is not a URI");
}

function checkEndpoint(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "protocol url", { requiredNames: "protocol url" })) return;
  const { protocol, url } = value;
  check.choice(protocol, `${at}/protocol`, ["http", "wss"]);
  checkLink(check, url ?? null, `${at}/url`);
  if (typeof url !== "string") return;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  const isPlain = scheme === "http" && isPrivate(url, !check.strict("plain-http"));
  const fits = protocol === "wss" ? scheme === "wss" : protocol !== "http" || scheme === "https" || isPlain;
  if (!fits) check.addCodeFault(`${at}/url`, "does not have the scheme of its protocol");
}

function checkRelay(check: DocumentCheck, value: Json, at: string): void {
  checkLink(check, value, at);
  if (typeof value === "string" && !/^wss:\/\/./.test(value)) check.addFormFault(at, "is not the address of a relay");
}

function checkCapabilities(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "streaming pushNotifications")) return;
  for (const [name, member] of Object.entries(value))
    if (typeof member !== "boolean") check.addFormFault(`${at}/${name}`, "is not a boolean");
}

function checkSkills(check: DocumentCheck, value: Json, at: string): void {
  check.list(value, at, [1, 100], (each, path) => checkSkill(check, each, path));
  const ids = Array.isArray(value) ? value.flatMap((each) => (isObject(each) ? [each.id] : [])) : [];
  const stringIds = ids.filter((id) => typeof id === "string");
  if (new Set(stringIds).size < stringIds.length) check.addCodeFault(at, "has an id twice");
}

function checkSkill(check: DocumentCheck, value: Json, at: string): void {
  if (
    !check.object(value, at, "id name description tags examples inputModes outputModes", {
      requiredNames: "id name description tags",
    })
  )
    return;
  const text =
    (max: number, form?: RegExp, min: number = 1) =>
    (each: Json, path: string): boolean =>
      check.text(each, path, { min, max, ...(form === undefined ? {} : { form }) });
  const list =
    (min: number, max: number, judge: (item: Json, path: string) => boolean) => (value: Json, path: string) =>
      check.list(value, path, [min, max], judge);
  check.members(value, at, {
    id: text(64, forms.slug),
    name: text(128),
    description: text(1024),
    tags: list(1, 20, text(32, forms.slug)),
    examples: list(0, 10, text(256, undefined, 0)),
    inputModes: list(0, 20, text(128, forms.media)),
    outputModes: list(0, 20, text(128, forms.media)),
  });
}
