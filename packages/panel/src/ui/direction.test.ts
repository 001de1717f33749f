/** Tests that drawings follow the direction of the page, in a form that the build does not change. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// The build rewrites `:dir(rtl)` as a list of languages, but the direction is a separate setting.
it('selects drawings by the direction attribute of the page, not by its language', () => {
  const sheet = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8')
  expect(sheet).toMatch(/\[dir='rtl'\]/)
  expect(sheet).not.toMatch(/:dir\(/)
})
