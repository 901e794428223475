// Starts each JSON-RPC server of the table on its own port, and prints the ports as one line of JSON.
// It runs in a folder with the libraries. The servers are its argument, as JSON.
import { createServer } from "node:http";

/** The libraries are installed in the folder of this file, and the repository does not depend on them. */
const load = (name) => import(name);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasOnly = (value, ...names) => isObject(value) && Object.keys(value).every((name) => names.includes(name));
const isBox = (params) =>
  hasOnly(params, "box") && typeof params.box === "string" && params.box.length >= 1 && [...params.box].length <= 8;
const isCount = (params) =>
  hasOnly(params, "box", "count") && isBox({ box: params.box }) && Number.isInteger(params.count) && params.count >= 1;
const hasNoParams = (params) => params === undefined || (hasOnly(params) && Object.keys(params).length === 0);

/** The methods. `refuse` throws the library's error for invalid parameters. `mistake` names a mistake of the methods. */
function methodsOf(refuse, mistake) {
  const requireThat = (isValid) => {
    if (!isValid) refuse();
  };
  return {
    open(params) {
      requireThat(
        mistake === "any-length"
          ? isObject(params) && typeof params.box === "string" && params.box !== "" && hasOnly(params, "box")
          : mistake === "more-members"
            ? isObject(params) && isBox({ box: params.box })
            : isBox(params),
      );
      return mistake === "no-result" ? {} : mistake === "number-for-text" ? { box: 7 } : { box: params.box };
    },
    fill(params) {
      requireThat(
        mistake === "zero-count"
          ? isCount({ ...params, count: (params?.count ?? 0) + 1 })
          : mistake === "other-params"
            ? isBox({ box: params?.box })
            : isCount(params),
      );
      return { full: true };
    },
    ping(params) {
      requireThat(hasNoParams(params));
      return "pong";
    },
  };
}

/** Changes to the messages on their way into and out of the library. */
const messageChanges = {
  "other-id": {
    out: (answer) => (isObject(answer) && "id" in answer && answer.id !== null ? { ...answer, id: "other" } : answer),
  },
  "both-members": { out: (answer) => (isObject(answer) && answer.error ? { ...answer, result: null } : answer) },
  "no-version": {
    out: (answer) =>
      isObject(answer) ? Object.fromEntries(Object.entries(answer).filter(([name]) => name !== "jsonrpc")) : answer,
  },
  "any-version": { in: (call) => (isObject(call) ? { ...call, jsonrpc: "2.0" } : call) },
  "text-code": {
    out: (answer) =>
      answer?.error ? { ...answer, error: { ...answer.error, code: String(answer.error.code) } } : answer,
  },
  "no-batch": { in: (call) => (Array.isArray(call) ? { jsonrpc: "2.0" } : call) },
  "any-method": {
    in: (call) =>
      isObject(call) && typeof call.method === "string" && !["open", "fill", "ping"].includes(call.method)
        ? { ...call, method: "ping", params: {} }
        : call,
  },
  "text-type": { type: "text/plain" },
  "answers-notifications": { silent: { jsonrpc: "2.0", id: null, result: "pong" } },
};

/** An HTTP server over a function that answers the text of a call with a value, or with undefined. */
function serverOver(answerTo, mistake, status = 204) {
  const changes = messageChanges[mistake] ?? {};
  const changeEach = (change, value) =>
    change === undefined ? value : Array.isArray(value) ? value.map(change) : change(value);
  return createServer(async (request, response) => {
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(await request.toArray()));
      if (changes.in !== undefined)
        text = JSON.stringify(
          mistake === "no-batch" ? changes.in(JSON.parse(text)) : changeEach(changes.in, JSON.parse(text)),
        );
    } catch {
      text = "{";
    }
    let answer = changeEach(changes.out, await answerTo(text));
    if (answer === undefined || answer === null) answer = changes.silent;
    if (answer === undefined) response.writeHead(status).end();
    else response.writeHead(200, { "Content-Type": changes.type ?? "application/json" }).end(JSON.stringify(answer));
  });
}

const serversByLibrary = {
  async "json-rpc-2.0"(option, mistake) {
    const { JSONRPCServer, JSONRPCErrorException, createJSONRPCErrorResponse } = await load("json-rpc-2.0");
    const server = new JSONRPCServer({ errorListener() {} });
    const isMapped = option === "mapErrorToJSONRPCErrorResponse";
    if (isMapped)
      server.mapErrorToJSONRPCErrorResponse = (id, error) =>
        createJSONRPCErrorResponse(id, error instanceof RangeError ? -32602 : (error.code ?? -32603), error.message);
    const refuse = () => {
      throw isMapped ? new RangeError("Invalid params") : new JSONRPCErrorException("Invalid params", -32602);
    };
    for (const [name, method] of Object.entries(methodsOf(refuse, mistake))) server.addMethod(name, method);
    return serverOver((text) => server.receiveJSON(text), mistake, option === "HTTP 202" ? 202 : 204);
  },
  async jayson(option, mistake) {
    const { default: jayson } = await load("jayson/promise/index.js");
    const refuse = () => {
      throw { code: -32602, message: "Invalid params" };
    };
    const methods = methodsOf(refuse, mistake);
    const asyncMethods = Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [name, async (params) => method(params)]),
    );
    const server = new jayson.Server(asyncMethods, {
      version: 2,
      ...(option === "useContext" ? { useContext: true } : {}),
    });
    if (option === "its own HTTP") return server.http();
    return serverOver(
      (text) => new Promise((resolve) => server.call(text, {}, (error, answer) => resolve(error ?? answer))),
      mistake,
    );
  },
  async "@metamask/json-rpc-engine"(option, mistake) {
    const { JsonRpcEngine } = await load("@metamask/json-rpc-engine");
    const engine = new JsonRpcEngine(option === "notificationHandler" ? { notificationHandler() {} } : {});
    const refuse = () => {
      throw { code: -32602, message: "Invalid params" };
    };
    const methods = methodsOf(refuse, mistake);
    engine.push((call, answer, _next, end) => {
      if (!Object.hasOwn(methods, call.method)) return end({ code: -32601, message: "Method not found" });
      try {
        answer.result = methods[call.method](call.params);
        return end();
      } catch (error) {
        return end(error);
      }
    });
    return serverOver(async (text) => {
      let call;
      try {
        call = JSON.parse(text);
      } catch {
        return { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };
      }
      return engine.handle(call);
    }, mistake);
  },
};

const chosenParties = JSON.parse(process.argv[2]);
const ports = [];
for (const { library, option, mistake } of chosenParties) {
  try {
    const server = await serversByLibrary[library](option, mistake);
    await new Promise((resolve, reject) => {
      server.on?.("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    ports.push(server.address().port);
  } catch (error) {
    ports.push(`${library}: ${error?.stack ?? error}`);
  }
}
console.log(JSON.stringify(ports));
