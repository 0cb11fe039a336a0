import {
  Binary,
  ContextAccess,
  type Expr,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
  Star,
  Unary,
} from "@actions/expressions/ast";
import { isBasicExpression, isString } from "@actions/workflow-parser";
import { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Place } from "./finding.ts";
import { parseExpression } from "./library.ts";

/** An expression of a workflow. */
export interface Expression {
  readonly at: Place | undefined;
  readonly tree: Expr;
  /** Whether it only decides whether a job or a step runs. */
  readonly isCondition: boolean;
}

/** What an expression names: `secrets.NAME`, or a context alone. */
export interface Reference {
  readonly at: Place | undefined;
  /** The name of the context as it is typed. */
  readonly context: string;
  /** Undefined for the context alone; null if an expression makes the name. */
  readonly name: string | null | undefined;
  /** The names after that one: `outputs.x` of `needs.job.outputs.x`. */
  readonly rest: readonly (string | null)[];
  /** Whether it is the whole of a value: elsewhere, it may be on purpose that the name does not exist. */
  readonly isAlone: boolean;
}

/** The conditions of jobs and steps, which are expressions without `${{ }}`. */
const conditions = ["job-if", "step-if"];

/** The expressions in a part of a workflow. */
export function* expressionsIn(part: TemplateToken): Generator<Expression> {
  for (const [, token] of TemplateToken.traverse(part)) {
    const allowed = token.definitionInfo?.allowedContext ?? [];
    const isCondition = conditions.includes(token.definitionInfo?.definition.key ?? "");
    if (isBasicExpression(token)) {
      for (const one of token.originalExpressions ?? [token]) {
        const tree = parseExpression(one.expression, allowed);
        if (tree !== undefined) yield { at: one.range?.start, tree, isCondition };
      }
    } else if (isString(token) && isCondition) {
      const tree = parseExpression(token.value, allowed);
      if (tree !== undefined) yield { at: token.range?.start, tree, isCondition };
    }
  }
}

/** What an expression names. */
export function* referencesIn({ at, tree, isCondition }: Expression): Generator<Reference> {
  const open: Expr[] = [tree];
  const rests = new Map<Expr, readonly (string | null)[]>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node instanceof ContextAccess) {
      yield { at, context: node.name.lexeme, name: undefined, rest: [], isAlone: false };
    } else if (node instanceof IndexAccess) {
      const { expr, index } = node;
      const name = index instanceof Literal ? index.literal.coerceString() : null;
      const rest = rests.get(node) ?? [];
      if (!(expr instanceof ContextAccess)) {
        rests.set(expr, [name, ...rest]);
        open.push(expr);
        // A * names all that there is.
      } else if (!(index instanceof Star)) {
        yield { at, context: expr.name.lexeme, name, rest, isAlone: node === tree && !isCondition };
      }
      if (!(index instanceof Literal)) open.push(index);
    } else open.push(...childrenOf(node));
  }
}

function childrenOf(node: Expr): readonly Expr[] {
  if (node instanceof Grouping) return [node.group];
  if (node instanceof Unary) return [node.expr];
  if (node instanceof Binary) return [node.left, node.right];
  return node instanceof Logical || node instanceof FunctionCall ? node.args : [];
}
