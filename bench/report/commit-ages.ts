/** How many commits were made since each of these; one that this repository does not have is left out. */
export async function commitAges(commits: readonly string[]): Promise<Map<string, number>> {
  const ages = await Promise.all(
    [...new Set(commits)].map(async (commit) => {
      const range = `${commit.replace(/\+changes$/, '')}..HEAD`;
      const counted = await Bun.$`git rev-list --count ${range}`.quiet().nothrow();
      return counted.exitCode === 0 ? [[commit, Number(counted.text())] as const] : [];
    }),
  );
  return new Map(ages.flat());
}
