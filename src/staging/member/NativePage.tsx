import { useState } from 'react'
import { useHydrated } from '../../platform/browser/use-hydrated.ts'
import { useCopy } from '../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../ui/Button.tsx'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { bridgeLogKey, nativeCookieOf } from '../rules.ts'
import styles from './StagingPage.module.css'

/** Makes this browser act as the native app, and shows the messages that the app would receive. */
export function Page() {
  const t = useCopy()
  const { nativeApp } = useProgram()
  const [platform, setPlatform] = useState<string>(nativeApp?.platform ?? '')
  const [version, setVersion] = useState(nativeApp?.version ?? '1.9.0')
  const bridgeMessages = useHydrated() ? sessionStorage.getItem(bridgeLogKey) : null
  const apply = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: Safari has no cookie store yet
    document.cookie = nativeCookieOf(platform, version)
    location.assign('/')
  }
  return (
    <div className={styles.page}>
      <Meta title={t('native.title')} />
      <h1>{t('native.title')}</h1>
      <p>{t('native.lead')}</p>
      <ScriptForm
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <SelectField
          label={t('native.platform')}
          value={platform}
          onChange={(event) => setPlatform(event.target.value)}
        >
          <option value="">{t('native.none')}</option>
          <option value="ios">{t('native.ios')}</option>
          <option value="android">{t('native.android')}</option>
        </SelectField>
        <TextField
          label={t('native.version')}
          value={version}
          pattern="\d+\.\d+\.\d+"
          onChange={(event) => setVersion(event.target.value)}
        />
        <Button type="submit">{t('native.apply')}</Button>
      </ScriptForm>
      <h2>{t('native.bridge')}</h2>
      <p>{bridgeMessages ?? t('native.bridge_empty')}</p>
    </div>
  )
}
