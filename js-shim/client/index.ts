/**
 * DOORWAY: what an Agent imports. Importable anywhere; it needs no Workers module.
 */

export { CodemodeConnector } from "./connector.ts";
export type { ConnectorContext, ConnectorTool, ConnectorTools, JsonSchema, ToolExecuteContext } from "./connector.ts";
export type { Approval } from "./contact.ts";
export { DESCRIPTION_EXAMPLES } from "./description.ts";
export { httpDoor } from "./door.ts";
export { CodemodeError, ERROR_CODES, UnknownOutcome } from "./errors.ts";
export type { ErrorCode } from "./errors.ts";
export { DynamicWorkerExecutor } from "./executor.ts";
export type { DynamicWorkerExecutorOptions, Outbound } from "./executor.ts";
export type {
  CodemodeApproveOptions,
  CodemodeExecuteOptions,
  CodemodeExecutionsOptions,
  CodemodeExpireOptions,
  CodemodeRejectOptions,
  CodemodeResolveOptions,
  CodemodeRollbackOptions,
  CodemodeRuntimeHandle,
  CodemodeSaveSnippetOptions,
  CodemodeSaveSnippetOptions as SaveSnippetOptions,
  CodemodeSearchOptions,
  CreateCodemodeRuntimeOptions,
} from "./handle.ts";
export { McpConnector } from "./mcp.ts";
export type { McpConnectionLike } from "./mcp.ts";
export type { McpAnnotations, McpClientLike, McpTool } from "./mcp-client.ts";
export { McpToolError } from "./mcp-value.ts";
export type { McpResult } from "./mcp-value.ts";
export { OpenApiConnector } from "./openapi.ts";
export { OpenApiError } from "./openapi/error.ts";
export type { OpenApiRequestOptions } from "./openapi/request.ts";
export type { OpenApiCredentials } from "./openapi/send.ts";
export { allowOutbound } from "./outbound.ts";
export type { AllowOutboundOptions } from "./outbound.ts";
export type { RuntimeBinding, RuntimeContext } from "./placement.ts";
export { createCodemodeRuntime } from "./runtime.ts";
export { ToolSetConnector, toolSetConnector } from "./toolset.ts";
export type { ToolLike, ToolSetConnectorOptions } from "./toolset.ts";
export { truncateResponse, truncateResult } from "./truncate.ts";
export type { TruncateOptions } from "./truncate.ts";
export type { CodemodeInputSchema, CodemodeTool, CodemodeToolOptions } from "./tool.ts";
export type {
  CodemodeInput,
  CodemodeInput as ProxyToolInput,
  CodemodeOutput,
  CodemodeOutput as ProxyToolOutput,
  DescribeOutput,
  ExecutionLogEntry,
  ExecutionPage,
  ExecutionState,
  ExecutionStatus,
  Limits,
  NoValue,
  Omitted,
  PassEndStatus,
  PendingAction,
  RollbackReport,
  RuntimeEvent,
  SearchOutput,
  SearchResult,
  Snippet,
  TerminalStatus,
  Unreadable,
  ToolLogEntry,
  ToolLogEntryState,
  TransformResult,
} from "./types.ts";
export { shown } from "../value/index.ts";
export type { JsonValue as JSONValue } from "../value/index.ts";
