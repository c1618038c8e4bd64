-- A browser in which an operator has signed in: wrong passwords typed elsewhere do not lock it.
create table console.known_devices (
  device_hash bytea not null check (length(device_hash) = 32),
  operator_id bigint not null references console.operators,
  used_at timestamptz not null default now(),
  primary key (device_hash, operator_id)
);
grant select, insert, update, delete on console.known_devices to dineback_console;

alter table console.operators
  -- The code that lets an operator without a passkey add one; given with the account, or anew at the command line.
  add column enroll_code_hash bytea check (length(enroll_code_hash) = 32),
  add column enroll_code_until timestamptz,
  -- Preview passes from before this moment are over.
  add column passes_from timestamptz not null default '-infinity';
grant update (enroll_code_hash, enroll_code_until, passes_from) on console.operators to dineback_console;

-- Whether a preview pass still holds: the one thing of the console that the application may ask about.
create function preview_pass_holds(editor text, issued timestamptz) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.operators
    where lower(email) = lower(editor) and disabled_at is null and issued > passes_from)
$$;
revoke execute on function preview_pass_holds from public;
grant execute on function preview_pass_holds to dineback_app;
