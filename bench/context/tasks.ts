/**
 * Three tasks, and how a competent model goes about each: by calling tools one by one, and by programs. What a model has to
 * judge for itself (which review to write, what an issue is about) is judged here, by the same function in every way.
 */

import type { Service } from "./hosts/agent.ts";

/** A method that a task needs: what it is called, what is asked for until it is found, the arguments it is given. */
export type Want = {
  ours: string;
  ancestor: string;
  queries: readonly string[];
  args: readonly string[];
  /** What the programs read of its answer, and arguments to look at one with. */
  reads?: { fields: readonly string[]; look: object };
};

/** Calls one tool; only here is it known what came back. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of services, read as their documents describe them
export type Call = (service: Service, operationId: string, args: object) => Promise<any>;

export type Task = {
  name: string;
  services: readonly Service[];
  direct(call: Call): Promise<unknown>;
  wants: Readonly<Record<string, Want>>;
  /** One after the other; each knows what the methods are called, and what the ones before returned. The last one's result is the answer. */
  programs: readonly ((paths: Record<string, string>, results: readonly unknown[]) => string)[];
};

type Seen = { title: string; author: string; head: string; files: { filename: string; patch: string }[]; states: string[]; failing: string[] };

function review({ files, failing }: Seen): object {
  const comments = files
    .filter(({ patch }) => patch.includes("sk_live_"))
    .map(({ filename: path, patch }) => ({ path, position: patch.split("\n").findIndex((line) => line.includes("sk_live_")), body: "A live key must not be in the code; read it from the environment, and revoke this one." }));
  return { event: "REQUEST_CHANGES", body: `One line has a live key, and ${failing.join(", ")} fails.`, comments };
}

const pull = { owner: "octo", repo: "shop", pull_number: 42 };

const reviewing: Task = {
  name: "review of a pull request",
  services: ["github"],
  async direct(call) {
    const request = await call("github", "pulls/get", pull);
    const files = await call("github", "pulls/list-files", { ...pull, per_page: 100 });
    const reviews = await call("github", "pulls/list-reviews", pull);
    const checks = await call("github", "checks/list-for-ref", { owner: "octo", repo: "shop", ref: request.head.sha });
    const failing = checks.check_runs.filter((run: { conclusion: string }) => run.conclusion === "failure").map((run: { name: string }) => run.name);
    const states = reviews.map((it: { state: string }) => it.state);
    const seen = { title: request.title, author: request.user.login, head: request.head.sha, files, states, failing };
    const { id, state } = await call("github", "pulls/create-review", { ...pull, body: review(seen) });
    return { id, state };
  },
  wants: {
    get: {
      ours: "github.pulls_get", ancestor: "github.pullsget",
      queries: ["get pull request", "get a pull request", "pulls get"],
      args: ["owner", "repo", "pull_number"],
      reads: { fields: ["title", "user", "head"], look: pull },
    },
    files: {
      ours: "github.pulls_list_files", ancestor: "github.pullslist_files",
      queries: ["list pull request files", "list pull requests files", "pulls list files"],
      args: ["owner", "repo", "pull_number", "per_page"],
      reads: { fields: ["filename", "patch"], look: pull },
    },
    reviews: {
      ours: "github.pulls_list_reviews", ancestor: "github.pullslist_reviews",
      queries: ["list reviews for pull request", "list reviews for a pull request", "pulls list reviews"],
      args: ["owner", "repo", "pull_number"],
      reads: { fields: ["state"], look: pull },
    },
    checks: {
      ours: "github.checks_list_for_ref", ancestor: "github.checkslist_for_ref",
      queries: ["list check runs for git reference", "checks list for ref"],
      args: ["owner", "repo", "ref"],
      reads: { fields: ["check_runs"], look: { owner: "octo", repo: "shop", ref: "main" } },
    },
    create: {
      ours: "github.pulls_create_review", ancestor: "github.pullscreate_review",
      queries: ["create pull request review", "create a review for a pull request", "pulls create review"],
      args: ["owner", "repo", "pull_number", "body"],
    },
  },
  programs: [
    (paths) => `async () => {
  const pull = ${JSON.stringify(pull)};
  const [request, files, reviews] = await Promise.all([${paths["get"]}(pull), ${paths["files"]}({ ...pull, per_page: 100 }), ${paths["reviews"]}(pull)]);
  const { check_runs } = await ${paths["checks"]}({ owner: pull.owner, repo: pull.repo, ref: request.head.sha });
  return {
    title: request.title,
    author: request.user.login,
    head: request.head.sha,
    files: files.map(({ filename, patch }) => ({ filename, patch })),
    states: reviews.map(({ state }) => state),
    failing: check_runs.filter((run) => run.conclusion === "failure").map((run) => run.name),
  };
}`,
    (paths, [seen]) => `async () => {
  const { id, state } = await ${paths["create"]}({ ...${JSON.stringify(pull)}, body: ${JSON.stringify(review(seen as Seen))} });
  return { id, state };
}`,
  ],
};

/** As someone who reads the title would say. */
function kindOf(title: string): string {
  if (/^(how|where)/i.test(title)) return "question";
  return /add|support/i.test(title) ? "enhancement" : "bug";
}

function sorted(issues: readonly { number: number; title: string }[]): Record<string, number[]> {
  const kinds: Record<string, number[]> = { bug: [], enhancement: [], question: [] };
  for (const { number, title } of issues) kinds[kindOf(title)]?.push(number);
  return kinds;
}

const sizes = (kinds: Record<string, number[]>): object => Object.fromEntries(Object.entries(kinds).map(([kind, numbers]) => [kind, numbers.length]));
const repository = { owner: "octo", repo: "shop" };

const classifying: Task = {
  name: "classification of 100 issues",
  services: ["github"],
  async direct(call) {
    const kinds = sorted(await call("github", "issues/list-for-repo", { ...repository, state: "open", per_page: 100 }));
    for (const [kind, numbers] of Object.entries(kinds)) {
      for (const issue_number of numbers) await call("github", "issues/add-labels", { ...repository, issue_number, body: { labels: [kind] } });
    }
    return sizes(kinds);
  },
  wants: {
    list: {
      ours: "github.issues_list_for_repo", ancestor: "github.issueslist_for_repo",
      queries: ["list repository issues", "issues list for repo"],
      args: ["owner", "repo", "state", "per_page"],
      reads: { fields: ["number", "title"], look: { ...repository, per_page: 1 } },
    },
    label: {
      ours: "github.issues_add_labels", ancestor: "github.issuesadd_labels",
      queries: ["add labels to issue", "issues add labels"],
      args: ["owner", "repo", "issue_number", "body"],
    },
  },
  programs: [
    (paths) => `async () => {
  const issues = await ${paths["list"]}({ owner: "octo", repo: "shop", state: "open", per_page: 100 });
  return issues.map(({ number, title }) => ({ number, title }));
}`,
    (paths, [issues]) => `async () => {
  const kinds = ${JSON.stringify(sorted(issues as { number: number; title: string }[]))};
  for (const [kind, numbers] of Object.entries(kinds)) {
    await Promise.all(numbers.map((issue_number) => ${paths["label"]}({ owner: "octo", repo: "shop", issue_number, body: { labels: [kind] } })));
  }
  return Object.fromEntries(Object.entries(kinds).map(([kind, numbers]) => [kind, numbers.length]));
}`,
  ],
};

const email = "ada@shop.example";

const looking: Task = {
  name: "look-up across services",
  services: ["github", "stripe", "slack"],
  async direct(call) {
    const [customer] = (await call("stripe", "GetCustomers", { email, limit: 1 })).data;
    const invoices = await call("stripe", "GetInvoices", { customer: customer.id, status: "open" });
    const { user } = await call("slack", "users_lookupByEmail", { token: "", email });
    const { messages } = await call("slack", "search_messages", { token: "", query: `from:@${user.name}`, count: 20 });
    const { items } = await call("github", "search/issues-and-pull-requests", { q: `repo:octo/shop is:issue is:open ${email}` });
    return {
      customer: customer.id,
      due: invoices.data.reduce((sum: number, { amount_due }: { amount_due: number }) => sum + amount_due, 0),
      slack: user.id,
      messages: messages.total,
      issues: items.map(({ number }: { number: number }) => number),
    };
  },
  wants: {
    customers: {
      ours: "stripe.GetCustomers", ancestor: "stripe.GetCustomers",
      queries: ["list customers"],
      args: ["email", "limit"],
      reads: { fields: ["data"], look: { email, limit: 1 } },
    },
    invoices: {
      ours: "stripe.GetInvoices", ancestor: "stripe.GetInvoices",
      queries: ["list invoices"],
      args: ["customer", "status"],
      reads: { fields: ["data"], look: { limit: 1 } },
    },
    user: {
      ours: "slack.users_lookupByEmail", ancestor: "slack.users_lookupByEmail",
      queries: ["find user by email"],
      args: ["token", "email"],
      reads: { fields: ["user"], look: { token: "", email } },
    },
    messages: {
      ours: "slack.search_messages", ancestor: "slack.search_messages",
      queries: ["search messages"],
      args: ["token", "query", "count"],
      reads: { fields: ["messages"], look: { token: "", query: "order", count: 1 } },
    },
    issues: {
      ours: "github.search_issues_and_pull_requests", ancestor: "github.searchissues_and_pull_requests",
      queries: ["search issues", "search issues and pull requests"],
      args: ["q"],
      reads: { fields: ["items"], look: { q: "repo:octo/shop", per_page: 1 } },
    },
  },
  programs: [
    (paths) => `async () => {
  const email = ${JSON.stringify(email)};
  const [customer] = (await ${paths["customers"]}({ email, limit: 1 })).data;
  const invoices = await ${paths["invoices"]}({ customer: customer.id, status: "open" });
  const { user } = await ${paths["user"]}({ token: "", email });
  const { messages } = await ${paths["messages"]}({ token: "", query: \`from:@\${user.name}\`, count: 20 });
  const { items } = await ${paths["issues"]}({ q: \`repo:octo/shop is:issue is:open \${email}\` });
  return {
    customer: customer.id,
    due: invoices.data.reduce((sum, { amount_due }) => sum + amount_due, 0),
    slack: user.id,
    messages: messages.total,
    issues: items.map(({ number }) => number),
  };
}`,
  ],
};

export const TASKS: readonly Task[] = [reviewing, classifying, looking];
