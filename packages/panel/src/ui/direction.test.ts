/** Drawings that turn with the direction of the page, in the form that the build leaves alone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// The build rewrites `:dir(rtl)` for older browsers as a list of languages written from right to left; the panel's
// direction is a setting of its own, whatever the language.
it('the style sheet asks for the attribute of the page, not for its language', () => {
  const sheet = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8')
  expect(sheet).toMatch(/\[dir='rtl'\]/)
  expect(sheet).not.toMatch(/:dir\(/)
})
