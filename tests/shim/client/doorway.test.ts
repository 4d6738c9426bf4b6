/** The doorway: importable where there are no Workers modules, and nothing leaves by it unnoticed. */

import { expect, test } from "vitest";

import * as client from "../../../js-shim/client/index.ts";

test("this is what can be imported", () => {
  expect(Object.keys(client).toSorted()).toEqual([
    "CodemodeConnector",
    "CodemodeError",
    "DESCRIPTION_EXAMPLES",
    "DynamicWorkerExecutor",
    "ERROR_CODES",
    "McpConnector",
    "McpToolError",
    "OpenApiConnector",
    "OpenApiError",
    "ToolSetConnector",
    "UnknownOutcome",
    "allowOutbound",
    "createCodemodeRuntime",
    "httpDoor",
    "shown",
    "toolSetConnector",
    "truncateResponse",
    "truncateResult",
  ]);
});
