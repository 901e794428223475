import { serve } from "@hono/node-server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The deliberate mistakes of the test server. */
export type Mistake =
  | "ignores-max-items"
  | "takes-unknown-members"
  | "coerces"
  | "ignores-limit"
  | "answers-without-id"
  | "answers-without-location"
  | "counts-in-words"
  | "is-fine";

const body = {
  type: "object",
  required: ["name", "kind"],
  additionalProperties: false,
  properties: {
    id: { type: "integer" },
    name: { type: "string", minLength: 1, maxLength: 40 },
    kind: { enum: ["dog", "cat"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    email: { type: "string" },
  },
};

/** Starts a server that implements `shop.yaml`, with at most one mistake. It refuses the name "taken" for reasons outside the schema. */
export async function startShop(mistake?: Mistake): Promise<{ url: string; close(): Promise<void> }> {
  const { maxItems: _, ...tags } = body.properties.tags;
  const schema = {
    ...body,
    ...(mistake === "takes-unknown-members" ? { additionalProperties: true } : {}),
    properties: { ...body.properties, ...(mistake === "ignores-max-items" ? { tags } : {}) },
  };
  const validate = new Ajv2020({ strict: false, coerceTypes: mistake === "coerces" }).compile(schema);
  const app = new Hono();
  const answer = (status: ContentfulStatusCode, value: object, headers: Record<string, string> = {}): Response =>
    Response.json(value, { status, headers });
  const readPet = async (request: Request): Promise<object | Response> => {
    try {
      const input: unknown = await request.json();
      return validate(input) ? (input as object) : answer(400, { error: validate.errors });
    } catch {
      return answer(400, { error: "no JSON" });
    }
  };
  app.get("/health", () => answer(200, { status: mistake === "is-fine" ? "fine" : "ok" }));
  app.get("/pets", (context) => {
    const limit = context.req.query("limit");
    const isValid = limit === undefined || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100);
    if (!isValid && mistake !== "ignores-limit") return answer(400, { error: "limit" });
    const total = mistake === "counts-in-words" ? "one" : "1";
    return answer(200, [{ id: 1, name: "Rex", kind: "dog" }], { "X-Total": total });
  });
  app.post("/pets", async (context) => {
    const pet = await readPet(context.req.raw);
    if (pet instanceof Response) return pet;
    if ((pet as { name: string }).name === "taken") return answer(409, { error: "the name is taken" });
    const headers: Record<string, string> = mistake === "answers-without-location" ? {} : { Location: "/pets/7" };
    return answer(201, mistake === "answers-without-id" ? pet : { ...pet, id: 7 }, headers);
  });
  app.put("/pets/:id", async (context) => {
    if (context.req.param("id") !== "1") return answer(404, { error: "no such pet" });
    const pet = await readPet(context.req.raw);
    return pet instanceof Response ? pet : answer(200, { ...pet, id: 1 });
  });
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  if (!server.listening) await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

export const description = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /health:
    get:
      responses:
        "200":
          description: ok
          content: { application/json: { schema: { properties: { status: { const: ok } } } } }
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
      responses:
        "200":
          description: pets
          headers: { X-Total: { schema: { type: integer, minimum: 0 } } }
          content: { application/json: { schema: { type: array, items: { $ref: "pet.yaml" } } } }
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "pet.yaml" }
            example: { name: Rex, kind: dog, tags: [good] }
      responses:
        "201":
          description: made
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: "pet.yaml" } } }
        "400": { description: wrong }
        "409": { description: taken }
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: integer, minimum: 1 }, example: 1 }
    put:
      operationId: updatePet
      requestBody: { content: { application/json: { schema: { $ref: "pet.yaml" } } } }
      responses:
        "200": { description: ok }
        "404": { description: none }
`;

export const pet = `type: object
required: [id, name, kind]
additionalProperties: false
properties:
  id: { type: integer, readOnly: true }
  name: { type: string, minLength: 1, maxLength: 40 }
  kind: { enum: [dog, cat] }
  tags: { type: array, items: { type: string }, maxItems: 3 }
  email: { type: string, format: email }
`;
