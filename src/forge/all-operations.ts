import { pathSegment, wildcardSegments } from "../http/path.ts";
import { grouped } from "../text/grouped.ts";
import { decoded } from "../text/percent.ts";
import * as areas from "./generated/areas.ts";
import { operationFacts } from "./generated/facts.ts";
import { levelPaths } from "./level.ts";
import type { Operation } from "./operation.ts";

/** All operations of tongs, by the name of their value: `labelEdit`. */
export const allOperations: ReadonlyMap<string, Operation> = new Map(
  Object.values(areas).flatMap((area) => Object.entries(area).filter(isNamedOperation)),
);

function isNamedOperation(entry: [name: string, value: unknown]): entry is [string, Operation] {
  const [, value] = entry;
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "effect" in value;
}

/** An operation at one of its levels. */
export interface PlacedOperation {
  readonly name: string;
  readonly operation: Operation;
  /** Its path with the level filled in: `/orgs/{org}/labels/{id}`. */
  readonly path: string;
}

/** All operations of the API at all their levels. */
export const placedOperations: readonly PlacedOperation[] = [...allOperations]
  .filter(([, { web }]) => web !== true)
  .flatMap(([name, operation]) => pathsOf(operation).map((path) => ({ name, operation, path })));

function pathsOf({ path, levels }: Operation): string[] {
  return levels.length === 0 ? [path] : levels.map((level) => path.replace("{level}", levelPaths[level]));
}

/** An operation that a request was sent by, with the parameters of its path, decoded. */
export interface MatchedOperation extends PlacedOperation {
  readonly parameters: ReadonlyMap<string, string>;
}

/** The operation with this method and path (below /api/v1, without query), if tongs has it. */
export function operationAt(method: string, path: string): MatchedOperation | undefined {
  for (const route of routesAt(method, path)) {
    const [found, ...values] = route.pattern.exec(path) ?? [];
    if (found === undefined) continue;
    if (route.placed === undefined) return undefined;
    const names = placesIn(route.path).map((place) => place.slice(1, -1));
    return { ...route.placed, parameters: new Map(names.map((name, index) => [name, decoded(values[index] ?? "")])) };
  }
  return undefined;
}

/** Whether servers have an operation with this method and path, also if tongs does not use it. */
export function isServed(method: string, path: string): boolean {
  return routesAt(method, path).some(({ pattern }) => pattern.test(path));
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly placed?: PlacedOperation;
}

/**
 * The routes of servers by `startOf`, also those that tongs does not use, the ones with the most literal text first: a parameter
 * also matches the literal text of another route.
 */
const routes = grouped<Route>(
  [
    ...placedOperations.map((placed) => ({
      method: placed.operation.method,
      path: placed.path,
      pattern: patternOf(placed.path, placed.operation.slashes),
      placed,
    })),
    ...Object.keys(operationFacts).map((key) => {
      const [method = "", path = ""] = key.split(" ");
      return { method, path, pattern: patternOf(path) };
    }),
  ].sort((one, other) => literalText(other.path) - literalText(one.path)),
  ({ method, path }) => startOf(method, path),
);

/** The method and the first word of a path, which is never a parameter: `POST repos`. */
function startOf(method: string, path: string): string {
  return `${method} ${path.split("/", 2)[1]}`;
}

function routesAt(method: string, path: string): readonly Route[] {
  return routes.get(startOf(method, path)) ?? [];
}

function patternOf(path: string, slashes = false): RegExp {
  const places = placesIn(path);
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  let count = 0;
  const pattern = literal.replace(/\{[^}]*\}/g, () => (slashes && ++count === places.length ? "(.+)" : "([^/]+)"));
  return new RegExp(`^${pattern}/?$`);
}

function placesIn(path: string): readonly string[] {
  return path.match(/\{[^}]+\}/g) ?? [];
}

function literalText(path: string): number {
  return path.replace(/\{[^}]*\}/g, "").length;
}

/**
 * The path of a request below /api/v1, or another path with the same parameters, with some of them changed. Throws a usage
 * error for a name that cannot stand in a path.
 */
export function pathOf(
  { path, operation, parameters }: MatchedOperation,
  changes: Readonly<Record<string, string>>,
  template: string = path,
): string {
  const places = placesIn(template);
  return places.reduce((built, place, index) => {
    const name = place.slice(1, -1);
    const value = changes[name] ?? parameters.get(name) ?? "";
    const encode = operation.slashes && index === places.length - 1 ? wildcardSegments : pathSegment;
    return built.replace(place, () => encode(value));
  }, template);
}
