/** Menus that convert the texts of a form to another script: one of a language, and one of each text. */
import { isScriptLocale, type Field, hasScripts, localeNames, type Locale, type Script, scripts } from '@dala/model'
import CaseSensitive from 'lucide-react/icons/case-sensitive'
import { type ComponentProps, type ReactElement, Suspense, useState } from 'react'
import { labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCommands } from '../../../ui/commands.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Menu } from '../../../ui/overlays/menu.tsx'
import type { ResourceForm } from '../use-resource-form.ts'
import { conversionsOf, convertibleFields } from './conversion.ts'

const ScriptDialog = lazyPart(async () => (await import('./script-dialog.tsx')).ScriptDialog)

/** Menu in the head of a form that converts all texts of its language. */
export function LanguageScripts({ form, language }: { form: ResourceForm; language: Locale }) {
  const t = useT()
  const isOffered = isScriptLocale(language) && convertibleFields(form).length > 0
  const [script, setScript] = useState<Script | null>(null)
  useCommands(
    scripts.map((target) => ({
      id: `form.script.${target}`,
      title: t(`script.titleLanguage.${target}`, { language: localeNames[language] }),
      run: () => setScript(target),
      isActive: isOffered,
    })),
  )
  if (!isOffered) return null
  return (
    <ScriptMenu
      form={form}
      language={language}
      script={script}
      onScript={setScript}
      trigger={
        <IconButton
          label={t('script.ofLanguage', { language: localeNames[language] })}
          icon={<CaseSensitive size={20} aria-hidden />}
        />
      }
    />
  )
}

interface FieldScriptsProps {
  form: ResourceForm
  language: Locale
  name: string
  field: Field
}

/**
 * Menu of one text of a form, for pointers only: the keyboard uses the menu of the language, so fields need
 * no second tab stop.
 */
export function FieldScripts({ form, language, name, field }: FieldScriptsProps) {
  const t = useT()
  const [script, setScript] = useState<Script | null>(null)
  if (!isScriptLocale(language) || !hasScripts(field) || form.isLocked || form.isReadOnly(name, field)) return null
  return (
    <ScriptMenu
      form={form}
      language={language}
      name={name}
      script={script}
      onScript={setScript}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('script.ofField', { field: labelOf(form.resource, name) })}
          title={t('script.ofField', { field: labelOf(form.resource, name) })}
          className="-my-1 grid size-6 shrink-0 place-items-center rounded-1 text-muted opacity-0 transition-opacity duration-(--dur-1) group-hover/field:opacity-100 hover:text-ink focus:opacity-100 data-popup-open:opacity-100 pointer-coarse:hidden"
        >
          <CaseSensitive size={17} aria-hidden />
        </button>
      }
    />
  )
}

interface ScriptMenuProps {
  form: ResourceForm
  language: Locale
  /** The only field to convert; all texts of the language when absent. */
  name?: string
  /** Script of the open preview. */
  script: Script | null
  onScript: (script: Script | null) => void
  trigger: ReactElement<ComponentProps<'button'>>
}

function ScriptMenu({ form, language, name, script, onScript, trigger }: ScriptMenuProps) {
  const t = useT()
  if (!isScriptLocale(language)) return null
  return (
    <>
      <Menu trigger={trigger}>
        {({ Item }) =>
          scripts.map((target) => (
            <Item
              key={target}
              disabled={conversionsOf(form, language, target, name).length === 0 && t(`script.nothing.${target}`)}
              onClick={() => onScript(target)}
            >
              {t(`script.to.${target}`)}
            </Item>
          ))
        }
      </Menu>
      {script ? (
        <Suspense fallback={null}>
          <ScriptDialog form={form} locale={language} script={script} name={name} onClose={() => onScript(null)} />
        </Suspense>
      ) : null}
    </>
  )
}
