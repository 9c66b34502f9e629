/**
 * Deliveries in the format of thread messages: nearly every settlement is one, and cloning an object for each takes
 * longer than deleting its row.
 */
export interface PackedDeliveries {
  /** Id and bits of each. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Digest of each; an empty list if none has one. */
  readonly digests: readonly (string | null)[];
}

/** One envelope that sinks accepted. */
export interface DeliveredEnvelope {
  readonly id: number;
  readonly bits: number;
  readonly digest: string | null;
}

const NUMBERS = 2;

export function packDeliveries(deliveries: readonly DeliveredEnvelope[]): PackedDeliveries {
  const numbers = new Float64Array(deliveries.length * NUMBERS);
  let hasDigest = false;
  for (const [index, { id, bits, digest }] of deliveries.entries()) {
    numbers[index * NUMBERS] = id;
    numbers[index * NUMBERS + 1] = bits;
    hasDigest ||= digest !== null;
  }
  return { numbers, digests: hasDigest ? deliveries.map(({ digest }) => digest) : [] };
}

export function unpackDeliveries({ numbers, digests }: PackedDeliveries): readonly DeliveredEnvelope[] {
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => ({
    id: numbers[index * NUMBERS] ?? 0,
    bits: numbers[index * NUMBERS + 1] ?? 0,
    digest: digests[index] ?? null,
  }));
}
