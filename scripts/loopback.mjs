// Loaded before a server that listens on every interface and asks for no address (`node --import`): it listens on this
// machine only, and says its port to whoever started it.
//
// The server ends with its parent, however that one ends.

import { Server } from "node:net";

const { listen } = Server.prototype;

Object.assign(Server.prototype, {
  /**
   * @this {Server}
   * @param {number | string} port
   * @param {...unknown} rest
   */
  listen(port, ...rest) {
    const listening = rest.find((argument) => typeof argument === "function");
    this.once("listening", () => process.send?.({ port: /** @type {import("node:net").AddressInfo} */ (this.address()).port }));
    return listen.call(this, { host: "127.0.0.1", port: Number(port) }, /** @type {() => void} */ (listening));
  },
});

process.on("disconnect", () => process.exit(0));
