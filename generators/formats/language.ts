const day = "(?:0[1-9]|1[0-9]|2[0-8])";
const date = `[12][0-9]{3}-(?:0[1-9]|1[0-2])-${day}`;
const time = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,20}[a-zA-Z0-9])?";
const host = `${label}(?:\\.${label}){0,8}`;
const mail = `[a-zA-Z0-9_+-]{1,30}(?:\\.[a-zA-Z0-9_+-]{1,20}){0,2}@${label}(?:\\.${label}){1,8}`;
const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `${octet}(?:\\.${octet}){3}`;
const word = "[a-zA-Z0-9._~!$&'()*+,;=:@-]";
const pathAndQuery = `(?:/${word}*)*(?:\\?[a-zA-Z0-9._~!$&'()*+,;=:@/?-]*)?(?:#[a-zA-Z0-9._~!$&'()*+,;=:@/?-]*)?`;
const uri = `(?:[a-z][a-z0-9+.-]*://(?:[a-z0-9]+@)?(?:${host}|${ipv4})(?::[0-9]{1,5})?${pathAndQuery}|(?:urn|mailto|tag|data):${word}+)`;
const hex = "[0-9a-fA-F]";
const uuid = `${hex}{8}-${hex}{4}-[1-8]${hex}{3}-[89abAB]${hex}{3}-${hex}{12}`;
const pointer = "(?:/(?:[a-zA-Z0-9 _.-]|~[01])*)*";

/**
 * For each format, a regular language that contains its common strings, and only strings of the format. To find a string that also matches a pattern, both automata
 * are intersected. Strings outside the language may still have the format.
 */
export const languages: Readonly<Record<string, string | undefined>> = {
  date: `^${date}$`,
  time: `^${time}$`,
  "date-time": `^${date}T${time}$`,
  duration:
    "^P(?:[0-9]{1,4}W|[0-9]{1,4}Y(?:[0-9]{1,2}M(?:[0-9]{1,3}D)?)?|[0-9]{1,3}D|T(?:[0-9]{1,4}H(?:[0-9]{1,2}M(?:[0-9]{1,2}S)?)?|[0-9]{1,4}M|[0-9]{1,4}S))$",
  email: `^${mail}$`,
  "idn-email": `^${mail}$`,
  hostname: `^${host}$`,
  "idn-hostname": `^${host}$`,
  ipv4: `^${ipv4}$`,
  ipv6: `^(?:(?:${hex}{1,4}:){7}${hex}{1,4}|(?:${hex}{1,4}:){1,4}(?::${hex}{1,4}){1,3}|::(?:${hex}{1,4})?)$`,
  uri: `^${uri}$`,
  iri: `^${uri}$`,
  "uri-reference": `^(?:${uri}|${pathAndQuery}|${word.replace(":", "")}+${pathAndQuery})$`,
  "iri-reference": `^(?:${uri}|${pathAndQuery}|${word.replace(":", "")}+${pathAndQuery})$`,
  uuid: `^${uuid}$`,
  "json-pointer": `^${pointer}$`,
  "relative-json-pointer": `^(?:0|[1-9][0-9]{0,8})(?:#|${pointer})$`,
  "uri-template": `^(?:${uri}|${pathAndQuery})(?:\\{[+#./;?&]?[a-z]{1,9}\\})?$`,
  regex: "^\\^?(?:[a-zA-Z0-9_/ -][+*]?|\\[(?:a-z|0-9|A-Z)+\\][+*]?)*\\$?$",
};
