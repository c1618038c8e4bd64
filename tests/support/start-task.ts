import { asOwner, type TestApp } from './app.ts'

/** Makes a running app execute a periodic task of a program now instead of at its next time. */
export async function startTask(app: Pick<TestApp, 'database'>, task: string, partnerId: string): Promise<void> {
  await asOwner(
    app,
    `insert into jobs.job (name, data, policy, retry_limit, keep_until)
     values ('tasks', $1, 'standard', 0, now() + interval '1 day')`,
    [{ task, partnerId }],
  )
}
