/** A body with all of its fields. */
export type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** Fields of one type. */
export type Numbers<K extends string> = Readonly<Record<K, number>>;
export type Texts<K extends string> = Readonly<Record<K, string>>;
export type Flags<K extends string> = Readonly<Record<K, boolean>>;

/** When a record was created and last changed (RFC 3339). */
export type Timed = Texts<"created_at" | "updated_at">;
