import type { Profile } from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import type { Endpoints } from "./route.ts";

/** What to advise if a server has nothing at a path (404). */
export interface Absence {
  /** A clause that names the probable address, if the given one lacks the path of the server in its description. */
  elsewhere?: string;
  adviceFor(path: string): string;
}

/** Prepares this advice before anything is sent. */
export function absenceOf(
  { servers = [] }: Profile["http"],
  { origin, prefix }: Pick<Address, "origin" | "prefix">,
  endpoints: Endpoints,
): Absence {
  const paths = servers.map((server) => ({
    server,
    path: new URL(server, "http://localhost").pathname.replace(/\/+$/, ""),
  }));
  const [likelyPath] = paths.some(({ path }) => prefix.endsWith(path)) ? [] : paths;
  const elsewhere =
    likelyPath === undefined
      ? undefined
      : `the description has its server at ${likelyPath.server}: give the URL as ${origin}${prefix}${likelyPath.path}`;
  const generalAdvice = "name the server's own path with --endpoint";
  return {
    ...(elsewhere === undefined ? {} : { elsewhere }),
    adviceFor(path) {
      if (Object.values(endpoints).includes(path)) return `the server does not have the path ${path} of --endpoint`;
      return `nothing is there: ${elsewhere === undefined ? generalAdvice : `${elsewhere}, or ${generalAdvice}`}`;
    },
  };
}
