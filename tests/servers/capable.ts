/**
 * A client that can do what a server may ask of one: roots, sampling and elicitation, also as tasks. The server `everything`
 * has tools only for such clients.
 */

import type { TaskStore } from "@modelcontextprotocol/sdk/experimental/tasks";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, type CreateTaskResult, type Result, type Task } from "@modelcontextprotocol/sdk/types.js";

type Extra = Parameters<Parameters<Client["setRequestHandler"]>[1]>[1];

export function capableClient(): Client {
  const client = new Client(
    { name: "codemode-tests", version: "1" },
    {
      taskStore: taskStore(),
      capabilities: {
        roots: {},
        sampling: {},
        elicitation: { form: {}, url: {} },
        tasks: { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
      },
    },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///somewhere", name: "somewhere" }] }));
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }, extra) => {
    const message = { model: "none", role: "assistant" as const, content: { type: "text" as const, text: "said" } };
    return params.task === undefined ? message : asTask(extra, message);
  });
  client.setRequestHandler(ElicitRequestSchema, ({ params }, extra) => {
    const answer = { action: "accept" as const, ...(params.mode !== "url" && { content: { name: "somebody", check: true } }) };
    return params.task === undefined ? answer : asTask(extra, answer);
  });
  return client;
}

async function asTask(extra: Extra, result: Result): Promise<CreateTaskResult> {
  const { taskStore } = extra;
  if (taskStore === undefined) throw new Error("the client keeps no tasks");
  const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 100 });
  await taskStore.storeTaskResult(task.taskId, "completed", result);
  return { task };
}

/** The SDK's own store needs Node's modules, which are not in a Worker. */
function taskStore(): TaskStore {
  const kept = new Map<string, { task: Task; result?: Result }>();
  const of = (id: string) => {
    const found = kept.get(id);
    if (found === undefined) throw new Error(`no task ${id}`);
    return found;
  };
  return {
    async createTask({ ttl, pollInterval }) {
      const now = new Date().toISOString();
      const task: Task = { taskId: crypto.randomUUID(), status: "working", ttl: ttl ?? null, createdAt: now, lastUpdatedAt: now, ...(pollInterval !== undefined && { pollInterval }) };
      kept.set(task.taskId, { task });
      return task;
    },
    getTask: async (id) => of(id).task,
    async storeTaskResult(id, status, result) {
      kept.set(id, { task: { ...of(id).task, status }, result });
    },
    getTaskResult: async (id) => of(id).result ?? {},
    async updateTaskStatus(id, status) {
      of(id).task.status = status;
    },
    listTasks: async () => ({ tasks: [...kept.values()].map(({ task }) => task) }),
  };
}
