import { isObject, type Json } from "../../../../schemas/index.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { keyIn } from "./crypto.ts";
import { sizeOf } from "./json.ts";
import { isPrivate, isUri } from "./url.ts";

const requiredMembers = "name description version identity skills defaultInputModes defaultOutputModes";
const allMembers = `${requiredMembers} endpoints nostrRelays protocolVersion supportedVersions capabilities trust provider iconUrl documentationUrl`;

export function card(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, allMembers, { required: requiredMembers, isOpen: true })) return;
  const uri = (text: Json, here: string): void => link(check, text, here);
  const media = (type: Json, here: string): boolean => check.text(type, here, { max: 128, form: forms.media });
  const version = (text: Json, here: string): boolean => check.text(text, here, { form: forms.version });
  check.members(value, at, {
    name: (name, here) => check.text(name, here, { min: 1, max: 128 }),
    description: (text, here) => check.text(text, here, { min: 1, max: 1024 }),
    version: (text, here) => check.text(text, here, { form: forms.release }),
    identity(its, here) {
      if (!check.text(its, here, { form: forms.address })) return;
      const found = keyIn(its);
      if ("why" in found) check.beyond(here, found.why);
    },
    endpoints: (list, here) => check.list(list, here, [1, 10], (each, place) => endpoint(check, each, place)),
    nostrRelays: (list, here) => check.list(list, here, [1, 10], (each, place) => relay(check, each, place)),
    protocolVersion: version,
    supportedVersions: (list, here) => check.list(list, here, [1, 20], version),
    capabilities: (its, here) => capabilities(check, its, here),
    skills: (list, here) => skills(check, list, here),
    defaultInputModes: (list, here) => check.list(list, here, [1, 20], media),
    defaultOutputModes: (list, here) => check.list(list, here, [1, 20], media),
    trust(its, here) {
      if (check.object(its, here, "domain", { required: "domain" }))
        check.text(its.domain, `${here}/domain`, { max: 253 });
    },
    provider(its, here) {
      if (!check.object(its, here, "organization url")) return;
      check.members(its, here, { organization: (name, place) => check.text(name, place, { max: 256 }), url: uri });
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
  if (!check.object(value, at, "protocol url", { required: "protocol url" })) return;
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
  for (const [name, its] of Object.entries(value))
    if (typeof its !== "boolean") check.form(`${at}/${name}`, "is no boolean");
}

function skills(check: DocumentCheck, value: Json, at: string): void {
  check.list(value, at, [1, 100], (each, here) => skill(check, each, here));
  const ids = Array.isArray(value) ? value.flatMap((each) => (isObject(each) ? [each.id] : [])) : [];
  const texts = ids.filter((id) => typeof id === "string");
  if (new Set(texts).size < texts.length) check.beyond(at, "has an id twice");
}

function skill(check: DocumentCheck, value: Json, at: string): void {
  if (
    !check.object(value, at, "id name description tags examples inputModes outputModes", {
      required: "id name description tags",
    })
  )
    return;
  const text =
    (max: number, form?: RegExp, min: number = 1) =>
    (each: Json, here: string): boolean =>
      check.text(each, here, { min, max, ...(form === undefined ? {} : { form }) });
  const list = (min: number, max: number, of: (each: Json, here: string) => boolean) => (each: Json, here: string) =>
    check.list(each, here, [min, max], of);
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
