/** The choice of a conversion to another script: the language, the script and the texts. */
import { type Field, localeNames, type Resource, scriptLocales, scripts } from '@dala/model'
import { useId } from 'react'
import { labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { Field as LabelledField } from '../../../ui/inputs/field.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import type { ScriptChoice as Choice } from './actions.ts'

interface ScriptChoiceProps {
  resource: Resource
  texts: readonly [string, Field][]
  choice: Choice
  onChange: (choice: Choice) => void
}

export function ScriptChoice({ resource, texts, choice, onChange }: ScriptChoiceProps) {
  const t = useT()
  const groupId = useId()
  const toggle = (name: string, isChosen: boolean) => {
    const names = texts.map(([text]) => text)
    onChange({ ...choice, fields: names.filter((text) => (text === name ? isChosen : choice.fields.includes(text))) })
  }
  return (
    <div className="grid gap-4.5">
      <p className="text-muted">{t('bulk.scriptAbout')}</p>
      <LabelledField label={t('bulk.scriptLanguage')} group>
        <SegmentedControl
          label={t('bulk.scriptLanguage')}
          value={choice.locale}
          onValueChange={(locale) => onChange({ ...choice, locale })}
          segments={scriptLocales.map((locale) => ({ value: locale, label: localeNames[locale] }))}
          className="justify-self-start"
        />
      </LabelledField>
      <LabelledField label={t('bulk.scriptTarget')} group>
        <SegmentedControl
          label={t('bulk.scriptTarget')}
          value={choice.script}
          onValueChange={(script) => onChange({ ...choice, script })}
          segments={scripts.map((script) => ({ value: script, label: t(`script.name.${script}`) }))}
          className="justify-self-start"
        />
      </LabelledField>
      {texts.length > 1 ? (
        <fieldset aria-labelledby={groupId} className="grid gap-1.5">
          <span id={groupId} className="text-sm font-medium">
            {t('bulk.scriptTexts')}
          </span>
          {texts.map(([name]) => (
            <label key={name} className="flex items-center gap-2.5 max-md:min-h-11">
              <input
                type="checkbox"
                className="check shrink-0"
                checked={choice.fields.includes(name)}
                onChange={(event) => toggle(name, event.target.checked)}
              />
              {labelOf(resource, name)}
            </label>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}
