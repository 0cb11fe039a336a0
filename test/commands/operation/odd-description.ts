/** A made-up description (OpenAPI 2) with every odd construct that servers publish. */
export const oddDescription = {
  swagger: "2.0",
  info: { title: "Odd", version: "1" },
  host: "elsewhere.example",
  schemes: ["https"],
  basePath: "/api/v1/",
  consumes: ["application/json"],
  security: [{ Token: ["read:everything"] }],
  parameters: { Owner: { $ref: "#/parameters/Owner2" }, Owner2: { name: "owner", in: "path", type: "string" } },
  responses: { Many: { description: "many", schema: { type: "array", items: { $ref: "#/definitions/Thing" } } } },
  paths: {
    "/things/{owner}": {
      parameters: [{ $ref: "#/parameters/Owner" }],
      get: {
        operationId: "listThings",
        summary: "List things",
        tags: ["thing"],
        parameters: [
          { name: "page", in: "query", type: "integer" },
          { name: "limit", in: "query", type: "integer" },
          { name: "state", in: "query", type: "string", enum: ["open", "closed"], default: "open" },
          { name: "ids", in: "query", type: "array", items: { type: "integer" }, collectionFormat: "multi" },
          { name: "names", in: "query", type: "array", items: { type: "string" } },
          { name: "pipes", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
          { name: "since", in: "query", type: "string", format: "date-time" },
          { name: "day", in: "query", type: "string", format: "date" },
          { name: "wide", in: "query", type: "boolean" },
          { name: "share", in: "query", type: "number", minimum: 0, maximum: 1 },
          { name: "X-Trace", in: "header", type: "string" },
          { name: "Authorization", in: "header", type: "string" },
        ],
        responses: { 200: { $ref: "#/responses/Many" } },
      },
      post: {
        operationId: "createThing",
        summary: "Create a thing",
        tags: ["thing"],
        parameters: [{ name: "body", in: "body", schema: { $ref: "#/definitions/CreateThing" } }],
        responses: { 201: { description: "created", schema: { $ref: "#/definitions/Thing" } } },
        security: [{ Token: ["write:thing", "read:thing"] }],
      },
      delete: { operationId: "deleteThings", deprecated: true, responses: { 204: {} } },
    },
    "/admin/users/{username}/orgs": {
      post: {
        operationId: "createOrg",
        parameters: [
          { name: "username", in: "path", type: "string" },
          { name: "organization", in: "body", required: true, schema: { $ref: "#/definitions/CreateOrg" } },
        ],
        responses: {},
      },
    },
    "/knots": {
      post: {
        operationId: "createKnot",
        parameters: [{ name: "body", in: "body", schema: { $ref: "#/definitions/Knot" } }],
        responses: {},
      },
    },
    "/things/{owner}/raw/{filepath}": { get: { operationId: "getRaw", responses: {} } },
    "/star/{path*}": { get: { operationId: "getStar", responses: {} } },
    "/upload": {
      post: {
        operationId: "upload",
        consumes: ["multipart/form-data"],
        parameters: [
          { name: "attachment", in: "formData", type: "file", required: true },
          { name: "label", in: "formData", type: "string" },
        ],
        responses: {},
      },
    },
    "/form": {
      post: {
        operationId: "form",
        consumes: ["application/x-www-form-urlencoded"],
        parameters: [{ name: "count", in: "formData", type: "integer", required: true }],
        responses: {},
      },
    },
    "/plain": {
      post: {
        operationId: "plain",
        consumes: ["text/plain"],
        parameters: [{ name: "body", in: "body", required: true, schema: { type: "string" } }],
        responses: {},
      },
    },
    "/same": { get: { operationId: "same", responses: {} }, put: { operationId: "same", responses: {} } },
    "/no-id/{n}": { get: { responses: {} } },
    "/../../escape": { get: { operationId: "escape", responses: {} } },
    "/$(touch pwned)": { get: { operationId: "$(touch pwned)", summary: "\u001b]0;owned\u0007", responses: {} } },
    "/nonsense": { get: "not an operation", post: null },
    "not-a-path": { get: { operationId: "lost" } },
  },
  definitions: {
    Thing: { type: "object", properties: { id: { type: "integer" }, parent: { $ref: "#/definitions/Thing" } } },
    Loop: { $ref: "#/definitions/Loop" },
    // Each refers twice to the other.
    Knot: { allOf: [{ $ref: "#/definitions/Bow" }, { $ref: "#/definitions/Bow" }] },
    Bow: { allOf: [{ $ref: "#/definitions/Knot" }, { $ref: "#/definitions/Knot" }] },
    CreateOrg: {
      type: "object",
      required: ["id", "username"],
      properties: {
        id: { type: "integer", readOnly: true },
        username: { type: "string" },
        full_name: { type: "string" },
      },
    },
    Base: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
    CreateThing: {
      allOf: [
        { $ref: "#/definitions/Base" },
        {
          type: "object",
          properties: {
            kind: { type: "string", enum: ["big", "small"] },
            count: { type: "integer", format: "int64" },
            tags: { type: "array", items: { type: "string" } },
            config: { type: "object", additionalProperties: { type: "string" } },
            parent: { $ref: "#/definitions/Thing" },
            loop: { $ref: "#/definitions/Loop" },
            other: { $ref: "https://elsewhere.example/schema.json" },
            due: { type: "string", format: "date-time", "x-nullable": true },
          },
        },
      ],
    },
  },
};

/** The same in OpenAPI 3, with what that adds. */
export const oddDescription3 = {
  openapi: "3.1.0",
  servers: [{ url: "https://elsewhere.example/api/v1" }],
  components: {
    schemas: { Name: { type: ["string", "null"] } },
    requestBodies: {
      Thing: {
        required: true,
        content: {
          "application/xml": { schema: {} },
          "application/json": {
            schema: {
              type: "object",
              required: ["name"],
              properties: {
                name: { $ref: "#/components/schemas/Name" },
                either: { oneOf: [{ type: "integer" }, { type: "string" }] },
                maybe: { anyOf: [{ type: "integer" }, { type: "null" }] },
              },
              additionalProperties: false,
            },
          },
        },
      },
    },
    parameters: { Tags: { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } } },
  },
  paths: {
    "/things": {
      get: {
        operationId: "listThings",
        parameters: [
          { $ref: "#/components/parameters/Tags" },
          { name: "joined", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
          { name: "session", in: "cookie", schema: { type: "string" } },
        ],
        responses: { 200: { content: { "application/json": { schema: { type: "array", items: {} } } } } },
      },
      post: { operationId: "createThing", requestBody: { $ref: "#/components/requestBodies/Thing" }, responses: {} },
      put: {
        operationId: "putFile",
        requestBody: {
          content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
        },
        responses: {},
      },
    },
  },
};
