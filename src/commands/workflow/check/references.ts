import * as ast from "@actions/expressions/ast";
import { isBasicExpression, isString } from "@actions/workflow-parser";
import { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Place } from "./finding.ts";
import { parseExpression } from "./library.ts";

/** What an expression names: `secrets.NAME`, or a context alone. */
export interface Reference {
  readonly at: Place | undefined;
  /** The name of the context in lower case. */
  readonly context: string;
  /** Undefined for the context alone; null if an expression makes the name. */
  readonly name: string | null | undefined;
  /** The names after that one, such as `outputs.x` of `needs.job.outputs.x`; null for `*` and what an expression makes. */
  readonly rest: readonly (string | null)[];
  /** Whether it is the whole of a value: elsewhere, it may be on purpose that the name does not exist. */
  readonly isAlone: boolean;
  /** The key whose value it is in: `run`. */
  readonly key: string;
}

/** The conditions of jobs and steps, which are expressions without `${{ }}`. */
export const conditions = ["job-if", "step-if"];

/** What the expressions in a part of a workflow name. */
export function referencesOf(part: TemplateToken): Reference[] {
  return [...TemplateToken.traverse(part)].flatMap(([, token, name]) => {
    const isCondition = conditions.includes(token.definitionInfo?.definition.key ?? "");
    const key = String(name ?? "");
    const named = (text: string, at: Place | undefined) => {
      const tree = parseExpression(text, token.definitionInfo?.allowedContext ?? []);
      return tree === undefined
        ? []
        : [...referencesIn(tree)].map((one) => ({ ...one, at, key, isAlone: one.isAlone && !isCondition }));
    };
    if (isBasicExpression(token))
      return (token.originalExpressions ?? [token]).flatMap((one) => named(one.expression, one.range?.start));
    return isCondition && isString(token) ? named(token.value, token.range?.start) : [];
  });
}

function* referencesIn(tree: ast.Expr): Generator<Omit<Reference, "at" | "key">> {
  const open: ast.Expr[] = [tree];
  const rests = new Map<ast.Expr, readonly (string | null)[]>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node instanceof ast.ContextAccess) {
      yield { context: node.name.lexeme.toLowerCase(), name: undefined, rest: [], isAlone: false };
    } else if (node instanceof ast.IndexAccess) {
      const { expr, index } = node;
      const name = index instanceof ast.Literal ? index.literal.coerceString() : null;
      const rest = rests.get(node) ?? [];
      if (!(expr instanceof ast.ContextAccess)) {
        rests.set(expr, [name, ...rest]);
        open.push(expr);
        // A * names all that there is.
      } else if (!(index instanceof ast.Star)) {
        yield { context: expr.name.lexeme.toLowerCase(), name, rest, isAlone: node === tree };
      }
      if (!(index instanceof ast.Literal)) open.push(index);
    } else if (node instanceof ast.Grouping) open.push(node.group);
    else if (node instanceof ast.Unary) open.push(node.expr);
    else if (node instanceof ast.Binary) open.push(node.left, node.right);
    else if (node instanceof ast.Logical || node instanceof ast.FunctionCall) open.push(...node.args);
  }
}
