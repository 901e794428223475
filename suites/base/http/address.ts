import { connect } from "node:net";
import { TouchstoneError } from "../../../schemas/index.ts";

/** The parts of a server's address. */
export interface Address {
  origin: string;
  /** The path without its final slash. The path of each endpoint is appended to it, followed by `search`. */
  prefix: string;
  search: string;
  /** The credentials that the address contained, as a header. */
  headers: Record<string, string>;
  /** The address without credentials and query, safe to show. */
  shown: string;
  host: string;
  port: number;
}

/** Parses the address of a server. Throws a usage error for anything but an http or https URL. */
export function parseAddress(url: string): Address {
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined;
  if (parsedUrl === undefined || !/^https?:$/.test(parsedUrl.protocol)) {
    throw new TouchstoneError("usage", "the URL of the target or of a hook is not the address of an HTTP server", {
      hint: "give it as http://127.0.0.1:8080; it is not shown here because it may contain a secret",
    });
  }
  const { origin, protocol, username, password, search } = parsedUrl;
  const prefix = parsedUrl.pathname.replace(/\/+$/, "");
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    prefix,
    search,
    headers: login === ":" ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` },
    shown: `${origin}${prefix}`,
    host: parsedUrl.hostname.replace(/^\[|\]$/g, ""),
    port: Number(parsedUrl.port || (protocol === "https:" ? 443 : 80)),
  };
}

/** The time limit for the first connection, in milliseconds. */
const probeTimeout = 5000;

/** Tries to connect, without sending a request. Throws a target error if nothing listens there. */
export function probe({ host, port, shown }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: probeTimeout, autoSelectFamily: true });
    const fail = (why: string): void => {
      socket.destroy();
      const hint = "start the server first, and check its address and port";
      reject(new TouchstoneError("target", `cannot connect to ${shown}: ${why}`, { hint }));
    };
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("timeout", () => fail(`no connection within ${probeTimeout / 1000} s`));
    socket.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  });
}
