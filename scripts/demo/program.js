async () => {
  const started = Date.now();
  const ticket = `T-${Math.floor(Math.random() * 1_000_000)}`;
  console.log(`ticket ${ticket}, opened ${new Date(started).toISOString()}`);

  // Two methods whose names it does not know yet.
  const find = async (query) => (await codemode.search(query, { limit: 1 })).results[0];
  const [add, sum] = await Promise.all([find("add a note"), find("sum of two numbers")]);
  const call = ({ connector, method }, args) => globalThis[connector][method](args);

  // Three chains at once, the first of them the slowest.
  const finished = [];
  const chain = async (name, work) => {
    const value = await work();
    await lab.count({ key: name });
    finished.push(name);
    return value;
  };
  const [, weather, total] = await Promise.all([
    chain("slow", () => everything.trigger_long_running_operation({ duration: 1, steps: 2 })),
    chain("middle", async () => {
      await lab.sleep({ ms: 300 });
      return everything.get_structured_content({ location: "Chicago" });
    }),
    chain("quick", () => call(sum, { a: 19, b: 23 })),
  ]);

  // One that fails, and it goes on.
  const failure = await everything.get_resource_reference({ resourceId: 0 }).catch((error) => error.message);

  // Two writes at once. Each waits for a person.
  const written = await Promise.all([
    call(add, { text: `${ticket}: Chicago has ${weather.conditions}, ${weather.temperature} degrees`, tag: "weather" }),
    call(add, { text: `${ticket}: ${total}`, tag: "sum" }),
  ]);
  return { ticket, started, found: [add.path, sum.path], finished, failure, written };
}
