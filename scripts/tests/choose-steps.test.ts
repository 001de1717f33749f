import { expect, test } from 'vitest'
import { passedTally, type Step } from '../lib/step.ts'
import { chooseSteps } from './choose-steps.ts'

const step = (name: string): Step => ({ name, run: () => Promise.resolve(passedTally) })
const groups = {
  check: [step('Format'), step('Lint')],
  server: [step('Server on PGlite'), step('Server on PostgreSQL')],
  journeys: [step('Journeys in a browser')],
}
const list = `check
  Format
  Lint
server
  Server on PGlite
  Server on PostgreSQL
journeys
  Journeys in a browser`

const namesOf = (...args: string[]) => {
  const choice = chooseSteps(args, groups)
  return 'steps' in choice ? choice.steps.map(({ name }) => name) : choice
}

test('chooses every step without arguments', () => {
  expect(namesOf()).toHaveLength(5)
})

test.each([
  [
    ['--only', 'journeys,check'],
    ['Format', 'Lint', 'Journeys in a browser'],
  ],
  [['--only=server'], ['Server on PGlite', 'Server on PostgreSQL']],
  [
    ['--only', 'server on pglite, lint'],
    ['Lint', 'Server on PGlite'],
  ],
  [
    ['--only', 'lint,check'],
    ['Format', 'Lint'],
  ],
])('chooses groups and steps by name in the order of the run: %j', (args, names) => {
  expect(namesOf(...args)).toEqual(names)
})

test('lists the groups of steps with their steps', () => {
  expect(namesOf('--list')).toEqual({ list })
})

test.each([
  [['--only', 'server,jorneys'], 'No step or group is called "jorneys".'],
  [['--only', ''], 'No step or group is called "".'],
  [['--only'], 'npm test takes --only <names> or --list.'],
  [['--onyl', 'server'], 'npm test takes --only <names> or --list.'],
  [['--only', 'server', 'journeys'], 'npm test takes --only <names> or --list.'],
  [['--list', 'server'], 'npm test takes --only <names> or --list.'],
])('refuses the arguments %j with the names of all steps and groups', (args, reason) => {
  expect(namesOf(...args)).toEqual({ refused: `${reason} Names are:\n${list}` })
})
