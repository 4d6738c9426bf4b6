// Options of the commands: what cannot be read ends the command with a text and status 2.

/**
 * @param {string} name
 * @param {string} text
 */
export function whole(name, text) {
  if (!/^\d{1,9}$/.test(text)) fail(`--${name} has to be a whole number, not ${text}`);
  return Number(text);
}

/**
 * @param {string} text
 * @returns {never}
 */
export function fail(text) {
  console.error(text);
  process.exit(2);
}
