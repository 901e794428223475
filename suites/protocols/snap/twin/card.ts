import { isObject, type Json } from "../../../../schemas/index.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { keyIn } from "./crypto.ts";
import { sizeOf } from "./json.ts";
import { isPrivate, isUri } from "./url.ts";

const requiredMembers = "name description version identity skills defaultInputModes defaultOutputModes";
const allMembers = `${requiredMembers} endpoints nostrRelays protocolVersion supportedVersions capabilities trust provider iconUrl documentationUrl`;

export function card(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, allMembers, { requiredNames: requiredMembers, isOpen: true })) return;
  const uri = (text: Json, place: string): void => link(check, text, place);
  const media = (type: Json, place: string): boolean => check.text(type, place, { max: 128, form: forms.media });
  const version = (text: Json, place: string): boolean => check.text(text, place, { form: forms.version });
  check.members(value, at, {
    name: (name, place) => check.text(name, place, { min: 1, max: 128 }),
    description: (text, place) => check.text(text, place, { min: 1, max: 1024 }),
    version: (text, place) => check.text(text, place, { form: forms.release }),
    identity(member, place) {
      if (!check.text(member, place, { form: forms.address })) return;
      const decodedKey = keyIn(member);
      if ("why" in decodedKey) check.beyond(place, decodedKey.why);
    },
    endpoints: (list, place) => check.list(list, place, [1, 10], (each, place) => endpoint(check, each, place)),
    nostrRelays: (list, place) => check.list(list, place, [1, 10], (each, place) => relay(check, each, place)),
    protocolVersion: version,
    supportedVersions: (list, place) => check.list(list, place, [1, 20], version),
    capabilities: (member, place) => capabilities(check, member, place),
    skills: (list, place) => skills(check, list, place),
    defaultInputModes: (list, place) => check.list(list, place, [1, 20], media),
    defaultOutputModes: (list, place) => check.list(list, place, [1, 20], media),
    trust(member, place) {
      if (check.object(member, place, "domain", { requiredNames: "domain" }))
        check.text(member.domain, `${place}/domain`, { max: 253 });
    },
    provider(member, place) {
      if (!check.object(member, place, "organization url")) return;
      check.members(member, place, { organization: (name, place) => check.text(name, place, { max: 256 }), url: uri });
    },
    iconUrl: uri,
    documentationUrl: uri,
  });
  if (sizeOf(value) > 65_536) check.beyond(at, "is too large");
  const { protocolVersion, supportedVersions } = value;
  if (typeof protocolVersion === "string" && Array.isArray(supportedVersions))
    if (!supportedVersions.includes(protocolVersion)) check.beyond(`${at}/protocolVersion`, "is not supported");
}

function link(check: DocumentCheck, text: Json, at: string): void {
  if (check.text(text, at, { max: 2048 }) && check.strict("formats") && !isUri(text, check.strict("url-host")))
    check.form(at, "is no URI");
}

function endpoint(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "protocol url", { requiredNames: "protocol url" })) return;
  const { protocol, url } = value;
  check.choice(protocol, `${at}/protocol`, ["http", "wss"]);
  link(check, url ?? null, `${at}/url`);
  if (typeof url !== "string") return;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  const isPlain = scheme === "http" && isPrivate(url, !check.strict("plain-http"));
  const fits = protocol === "wss" ? scheme === "wss" : protocol !== "http" || scheme === "https" || isPlain;
  if (!fits) check.beyond(`${at}/url`, "has not the scheme of its protocol");
}

function relay(check: DocumentCheck, value: Json, at: string): void {
  link(check, value, at);
  if (typeof value === "string" && !/^wss:\/\/./.test(value)) check.form(at, "is no relay");
}

function capabilities(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "streaming pushNotifications")) return;
  for (const [name, member] of Object.entries(value))
    if (typeof member !== "boolean") check.form(`${at}/${name}`, "is no boolean");
}

function skills(check: DocumentCheck, value: Json, at: string): void {
  check.list(value, at, [1, 100], (each, place) => skill(check, each, place));
  const ids = Array.isArray(value) ? value.flatMap((each) => (isObject(each) ? [each.id] : [])) : [];
  const texts = ids.filter((id) => typeof id === "string");
  if (new Set(texts).size < texts.length) check.beyond(at, "has an id twice");
}

function skill(check: DocumentCheck, value: Json, at: string): void {
  if (
    !check.object(value, at, "id name description tags examples inputModes outputModes", {
      requiredNames: "id name description tags",
    })
  )
    return;
  const text =
    (max: number, form?: RegExp, min: number = 1) =>
    (each: Json, place: string): boolean =>
      check.text(each, place, { min, max, ...(form === undefined ? {} : { form }) });
  const list = (min: number, max: number, of: (each: Json, place: string) => boolean) => (each: Json, place: string) =>
    check.list(each, place, [min, max], of);
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
