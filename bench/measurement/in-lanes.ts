/** Does work `count` times, in lanes that each do one piece at a time. */
export async function inLanes(
  lanes: number,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane));
}
