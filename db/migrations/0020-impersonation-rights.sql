-- Returns whether an operator may see a program's members as they do, or change their accounts: by the role and programs
-- of now, and only what began after the operator last signed out everywhere. Before, what an operator had opened stayed
-- open for half an hour after the operator was disabled.
create function may_impersonate(operator bigint, program text, since timestamptz, changes boolean) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.operators o
    where o.id = operator and o.disabled_at is null and since > o.preview_passes_valid_from
      and o.role = any(case when changes then array['admin'] else array['admin', 'support'] end)
      and (o.partners is null or program = any(o.partners)))
$$;
revoke execute on function may_impersonate from public;
grant execute on function may_impersonate to dineback_app;
