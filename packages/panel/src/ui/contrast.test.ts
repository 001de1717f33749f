import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { colourModes, palettes } from '@dala/model'
import { describe, expect, it } from 'vitest'

type Theme = ReadonlyMap<string, string>

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

function readTheme(palette: string, mode: string): Theme {
  const block =
    new RegExp(`\\[data-palette=.${palette}.\\]\\[data-mode=.${mode}.\\]\\s*\\{([^}]*)\\}`).exec(css)?.[1] ?? ''
  return new Map([...block.matchAll(/--([\w-]+):\s*([^;]+)/g)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

/** Relative luminance (WCAG 2) of `oklch(L C H)`, rounded to the 8 bits of a screen. */
function luminanceOf(colour: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = (/oklch\(([^)]+)\)/.exec(colour)?.[1] ?? '').split(/\s+/).map(Number)
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const longCone = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const mediumCone = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const shortCone = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const toScreen = (channel: number) => {
    const clippedChannel = Math.min(1, Math.max(0, channel))
    const encodedChannel =
      clippedChannel <= 0.0031308 ? 12.92 * clippedChannel : 1.055 * clippedChannel ** (1 / 2.4) - 0.055
    const roundedChannel = Math.round(encodedChannel * 255) / 255
    return roundedChannel <= 0.04045 ? roundedChannel / 12.92 : ((roundedChannel + 0.055) / 1.055) ** 2.4
  }
  return (
    0.2126 * toScreen(4.0767416621 * longCone - 3.3077115913 * mediumCone + 0.2309699292 * shortCone) +
    0.7152 * toScreen(-1.2684380046 * longCone + 2.6097574011 * mediumCone - 0.3413193965 * shortCone) +
    0.0722 * toScreen(-0.0041960863 * longCone - 0.7034186147 * mediumCone + 1.707614701 * shortCone)
  )
}

function contrastOf(theme: Theme, frontRole: string, groundRole: string): number {
  const [high, low] = [luminanceOf(theme.get(frontRole) ?? ''), luminanceOf(theme.get(groundRole) ?? '')].sort(
    (x, y) => y - x,
  )
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

const backgrounds = ['canvas', 'surface', 'surface-sunken', 'surface-hover'] as const
const textPairs: readonly (readonly [string, string])[] = [
  ...backgrounds.flatMap(
    (groundRole) =>
      [
        ['text', groundRole],
        ['text-muted', groundRole],
        ['brand-text', groundRole],
      ] as const,
  ),
  ['on-brand', 'brand'],
  ['on-brand', 'brand-hover'],
  ['on-brand', 'brand-active'],
  ['on-brand-soft', 'brand-soft'],
  ['text', 'brand-soft'],
  ['rail-text', 'rail'],
  ['rail-muted', 'rail'],
  ['rail-text', 'rail-active'],
  ...['success', 'warning', 'danger', 'info'].flatMap((status) => [
    [`${status}-text`, 'surface'] as const,
    [`${status}-text`, `${status}-soft`] as const,
    ['surface', status] as const,
  ]),
]
const partPairs: readonly (readonly [string, string])[] = [
  ...(['canvas', 'surface', 'surface-sunken'] as const).flatMap(
    (groundRole) =>
      [
        ['focus', groundRole],
        ['brand-ui', groundRole],
      ] as const,
  ),
  ['line-strong', 'surface'],
  ['line-strong', 'canvas'],
  ['rail-mark', 'rail'],
  ...[1, 2, 3, 4, 5, 6].map((chartNumber) => [`chart-${chartNumber}`, 'surface'] as const),
]

describe.each(palettes.flatMap((palette) => colourModes.map((mode) => [palette, mode] as const)))(
  'the colours of %s %s',
  (palette, mode) => {
    const theme = readTheme(palette, mode)
    const findFailingPairs = (pairs: typeof textPairs, minContrast: number) =>
      pairs
        .filter(([frontRole, groundRole]) => contrastOf(theme, frontRole, groundRole) < minContrast)
        .map(([frontRole, groundRole]) => `${frontRole} on ${groundRole}`)

    it('defines all colour roles', () => {
      const usedPairs = new Set([...textPairs, ...partPairs].flat())
      expect([...usedPairs].filter((role) => !theme.has(role))).toEqual([])
    })

    it('gives text a contrast of 4.5 : 1', () => {
      expect(findFailingPairs(textPairs, 4.5)).toEqual([])
    })

    it('gives controls, focus and charts a contrast of 3 : 1', () => {
      expect(findFailingPairs(partPairs, 3)).toEqual([])
    })
  },
)

describe('the pages of shared reports', () => {
  const sharedCss = readFileSync(
    join(import.meta.dirname, '../../../server/src/features/report-files/shares/page.css'),
    'utf8',
  )
  it.each(palettes)('have the colours of the panel in %s', (palette) => {
    const block = new RegExp(`\\[data-palette='${palette}'\\] \\{([^}]*)\\}`).exec(sharedCss)?.[1] ?? ''
    const [light, dark] = colourModes.map((mode) => readTheme(palette, mode))
    const expectedRoles = ['brand', 'on-brand', 'brand-ui'].map(
      (role) => `--${role}: light-dark(${light?.get(role)}, ${dark?.get(role)});`,
    )
    expect(block.trim().split(/\n\s*/)).toEqual(expectedRoles)
  })
})
