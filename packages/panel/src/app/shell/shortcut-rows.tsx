/** The keyboard shortcuts of one part of the panel, each with its action. */
import { firstTranslation } from '../../lib/i18n.ts'
import { keyCapsOf, type ShortcutKeys, type ShortcutPart, shortcuts } from '../../lib/keys/shortcuts.ts'
import { KeyCaps } from '../../ui/key-caps.tsx'

/** Combines the arrows after one Shift, because separate combinations would be too long. */
function shownCombinations(combinations: readonly ShortcutKeys[]): string[][] {
  const keyRows = combinations.map(keyCapsOf)
  const [firstRows = []] = keyRows
  if (keyRows.length < 3) return keyRows
  return [[...firstRows.slice(0, -1), ...keyRows.flatMap((caps) => caps.slice(-1))]]
}

export function ShortcutRows({ part }: { part: ShortcutPart }) {
  return (
    <div>
      <h3 className="pb-1 font-semibold">{firstTranslation([`shortcuts.part.${part}`])}</h3>
      <dl>
        {Object.entries<readonly ShortcutKeys[]>(shortcuts[part]).map(([name, combinations]) => (
          <div key={name} className="flex items-center justify-between gap-4 border-t border-line py-1.5">
            <dt>{firstTranslation([`shortcuts.${part}.${name}`])}</dt>
            <dd className="flex flex-wrap justify-end gap-x-3 gap-y-1">
              {shownCombinations(combinations).map((caps) => (
                <KeyCaps key={caps.join(' ')} caps={caps} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
