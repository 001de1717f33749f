/** Reads which steps of `npm test` are requested. */
import type { Step } from '../lib/step.ts'

/** Steps of `npm test` by the name of their group. */
export type StepGroups = Readonly<Record<string, readonly Step[]>>

export type Choice = { steps: readonly Step[] } | { list: string } | { refused: string }

/** Lists every group of `npm test` with its steps, one a line. */
function listOf(groups: StepGroups): string {
  return Object.entries(groups)
    .map(([group, steps]) => [group, ...steps.map(({ name }) => `  ${name}`)].join('\n'))
    .join('\n')
}

/**
 * Reads the arguments of `npm test`: nothing for every step, `--list`, or `--only` with a comma-separated
 * list of group names or beginnings of step names.
 *
 * @param args - Arguments of the command line.
 * @param groups - All groups.
 * @returns The steps in the order of the whole run, a list to print, or the reason of a refusal.
 */
export function chooseSteps(args: readonly string[], groups: StepGroups): Choice {
  const allSteps = Object.values(groups).flat()
  const [flag, ...otherArgs] = args.flatMap((arg) => (arg.startsWith('--only=') ? ['--only', arg.slice(7)] : [arg]))
  if (flag === undefined) return { steps: allSteps }
  if (flag === '--list' && otherArgs.length === 0) return { list: listOf(groups) }
  const [nameList] = otherArgs
  if (flag !== '--only' || nameList === undefined || otherArgs.length > 1) {
    return { refused: `npm test takes --only <names> or --list. Names are:\n${listOf(groups)}` }
  }
  const chosenSteps = new Set<Step>()
  for (const name of nameList.split(',').map((listedName) => listedName.trim())) {
    const matchingSteps = findSteps(name, groups)
    if (matchingSteps.length === 0)
      return { refused: `No step or group is called "${name}". Names are:\n${listOf(groups)}` }
    for (const step of matchingSteps) chosenSteps.add(step)
  }
  return { steps: allSteps.filter((step) => chosenSteps.has(step)) }
}

function findSteps(name: string, groups: StepGroups): readonly Step[] {
  const start = name.toLowerCase()
  if (start === '') return []
  const [, group] = Object.entries(groups).find(([key]) => key === start) ?? []
  return (
    group ??
    Object.values(groups)
      .flat()
      .filter((step) => step.name.toLowerCase().startsWith(start))
  )
}
