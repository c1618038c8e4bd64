-- Roles of this installation's own, beside those that the product brings.
create table console.roles (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{1,39}$'),
  permissions text[] not null,
  changed_at timestamptz not null default now()
);
-- What an operator may do, and where: a role for a program, or for all.
create table console.grants (
  id bigint generated always as identity primary key,
  operator_id bigint not null references console.operators,
  -- One of the product's roles, or one of console.roles.
  role text not null,
  -- Null: all programs, and the installation.
  partner_id text,
  granted_at timestamptz not null default now()
);
create unique index grants_once on console.grants (operator_id, role, coalesce(partner_id, ''));
create index grants_by_role on console.grants (role);
grant select, insert, update, delete on console.roles to dineback_console;
grant select, insert, delete on console.grants to dineback_console;

insert into console.grants (operator_id, role, partner_id)
select o.id, case o.role when 'editor' then 'marketer' when 'admin' then 'administrator' else o.role end, p.code
from console.operators o
left join lateral unnest(o.partners) p (code) on true
where o.partners is null or p.code is not null
-- A program may be in the list twice.
on conflict do nothing;

-- Processes of the version before still read them during an update; for them, operators that are added from now on may
-- do nothing.
alter table console.operators alter column role drop not null;
alter table console.operators alter column partners set default '{}';

-- Returns whether an operator has a permission in a program: by one of the product's roles that have it, or by one of the
-- installation's own.
create function operator_may(operator bigint, program text, permission text, built_in text[]) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.grants g left join console.roles r on r.name = g.role
    where g.operator_id = operator and (g.partner_id is null or g.partner_id = program)
      and (g.role = any(built_in) or permission = any(r.permissions)))
$$;
revoke execute on function operator_may from public;

create or replace function may_preview(editor text, program text, issued timestamptz) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.operators o
    where lower(o.email) = lower(editor) and o.disabled_at is null and issued > o.preview_passes_valid_from
      and operator_may(o.id, program, 'content.edit', array['marketer', 'manager', 'administrator']))
$$;

create or replace function may_impersonate(operator bigint, program text, since timestamptz, changes boolean) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.operators o
    where o.id = operator and o.disabled_at is null and since > o.preview_passes_valid_from
      and case when changes then operator_may(o.id, program, 'members.act', array['manager', 'administrator'])
        else operator_may(o.id, program, 'members.impersonate', array['support', 'manager', 'administrator']) end)
$$;
