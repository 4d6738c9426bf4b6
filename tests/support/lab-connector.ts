/** The connector `lab` with the methods that a test gives it. */

import { CodemodeConnector, type ConnectorTools } from "../../js-shim/client/index.ts";

export class LabConnector extends CodemodeConnector<undefined> {
  readonly #tools: ConnectorTools;

  constructor(tools: ConnectorTools) {
    super({ waitUntil: () => {}, props: {} }, undefined);
    this.#tools = tools;
  }

  name(): string {
    return "lab";
  }

  protected tools(): ConnectorTools {
    return this.#tools;
  }
}
