/** The open variables of canned replies in a text, each with a button that selects it. */
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import type { OpenVariable } from './text.ts'

export interface OpenVariablesProps {
  variables: readonly OpenVariable[]
  onJump: (variable: OpenVariable) => void
}

/** The open variables of a canned reply; the text can be sent or saved when none is left. */
export function OpenVariables({ variables, onJump }: OpenVariablesProps) {
  const t = useT()
  if (variables.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-2 bg-danger-soft px-3 py-1.5 text-sm text-danger-text">
      <p className="font-medium">{t('chat.fillFirst')}</p>
      <ul className="flex flex-wrap gap-1.5">
        {variables.map((variable) => (
          <li key={variable.start}>
            <Button
              className="min-h-8 px-2.5 text-sm max-md:min-h-11"
              aria-label={t('chat.fillIn', { name: variable.name })}
              onClick={() => onJump(variable)}
            >
              <bdi>{`{{${variable.name}}}`}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
