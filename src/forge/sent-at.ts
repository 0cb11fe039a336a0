/**
 * When a request was sent, in milliseconds of the server's clock: `ago` milliseconds before an answer with this Date header. One
 * second earlier, because times of servers have no fractions. What is older was not made by the request. NaN without a date.
 */
export function sentAt(date: string | undefined, ago: number): number {
  return Date.parse(date ?? "") - ago - 1_000;
}
