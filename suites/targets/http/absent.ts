import type { Profile } from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import type { Endpoints } from "./route.ts";

/** What to do where a server has nothing at a path (404). */
export interface Absence {
  /** The address that is meant, where it is seen that the given one lacks the path under which a description has its server. */
  elsewhere?: string;
  of(path: string): string;
}

/** What is known of it before anything is sent. */
export function absenceOf(
  { servers = [] }: Profile["http"],
  { origin, prefix }: Pick<Address, "origin" | "prefix">,
  endpoints: Endpoints,
): Absence {
  const paths = servers.map((server) => ({
    server,
    path: new URL(server, "http://localhost").pathname.replace(/\/+$/, ""),
  }));
  const [meant] = paths.some(({ path }) => prefix.endsWith(path)) ? [] : paths;
  const elsewhere =
    meant === undefined
      ? undefined
      : `the description has its server at ${meant.server}: give the URL as ${origin}${prefix}${meant.path}`;
  const otherwise = "name the server's own path with --endpoint";
  return {
    ...(elsewhere === undefined ? {} : { elsewhere }),
    of(path) {
      if (Object.values(endpoints).includes(path)) return `the path ${path} that --endpoint gives is not there`;
      return `nothing is there: ${elsewhere === undefined ? otherwise : `${elsewhere}, or ${otherwise}`}`;
    },
  };
}
