import type { Block } from "../command/topic-text.ts";
import { topics } from "../command/topics.ts";

/** A help topic with its text. */
export interface TopicNode {
  readonly name: string;
  readonly summary: string;
  readonly blocks: readonly Block[];
}

/** All help topics, in the order of the help. Loads their texts. */
export async function topicNodes(): Promise<TopicNode[]> {
  return Promise.all(
    Object.entries(topics).map(async ([name, { summary, blocks }]) => ({ name, summary, blocks: await blocks() })),
  );
}
