create table members (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique check (length(public_id) >= 20),
  referral_code text not null unique,
  family_id text not null,
  email text not null check (length(email) <= 254),
  first_name text not null check (length(first_name) <= 20),
  last_name text not null check (length(last_name) <= 20),
  phone_number text check (phone_number ~ '^\d{10}$'),
  sms_opt_in boolean not null default false,
  email_opt_in boolean not null default false,
  address1 text not null default '' check (length(address1) <= 30),
  address2 text not null default '' check (length(address2) <= 30),
  city text not null default '' check (length(city) <= 20),
  state text not null default '' check (state ~ '^([A-Z]{2})?$'),
  zip_code text not null check (zip_code ~ '^(\d{5})?$'),
  partner_number text,
  tier_level text not null default 'OptedOut'
    check (tier_level in ('OptedOut', 'NonActivated', 'OptedIn', 'VIP')),
  tier_since timestamptz,
  -- VIP starts on the day after it was reached, and ends with the following year.
  vip_from date,
  vip_until date,
  member_type text not null default 'NonCardMember'
    check (member_type in ('ClosedAccountMember', 'EnrolledCardMember', 'NonCardMember')),
  has_web_profile boolean not null default true,
  active boolean not null default true,
  enrollment_source text,
  marketing jsonb not null default '{}',
  must_fix_credentials boolean not null default false,
  -- The person was a member before: a bonus for new members does not apply.
  has_returned boolean not null default false,
  joined_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set when the member deleted the account: everything that bookkeeping does not need has been removed.
  deleted_at timestamptz,
  check (not sms_opt_in or phone_number is not null),
  unique (partner_id, id)
);
create unique index members_email_once on members (partner_id, lower(email));
-- Members sign in by their partner number in upper or lower case.
create unique index members_partner_number_once on members (partner_id, lower(partner_number))
  where partner_number is not null;
create index members_vip_begins on members (partner_id, vip_from) where vip_from is not null and tier_level <> 'VIP';
create index members_vip_ends on members (partner_id, vip_until) where tier_level = 'VIP';
call enable_tenant_isolation('members');
grant select, insert, update on members to dineback_app;

-- Previous tiers of a member. A transaction earns at the tier of its own day.
create table member_tiers (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  tier_level text not null,
  until timestamptz not null,
  foreign key (partner_id, member_id) references members (partner_id, id) on delete cascade
);
create index member_tiers_by_member on member_tiers (member_id, until);
call enable_tenant_isolation('member_tiers');
grant select, insert on member_tiers to dineback_app;

create function record_member_tier() returns trigger language plpgsql as $$
begin
  insert into member_tiers (partner_id, member_id, tier_level, until)
    values (old.partner_id, old.id, old.tier_level, now());
  new.tier_since := now();
  return new;
end
$$;
create trigger members_record_tier before update of tier_level on members
  for each row when (old.tier_level is distinct from new.tier_level) execute function record_member_tier();

create table credentials (
  member_id bigint primary key,
  partner_id text not null,
  password_hash text not null,
  updated_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call enable_tenant_isolation('credentials');
grant select, insert, update, delete on credentials to dineback_app;

-- A member's identity at the partner's own identity provider.
create table identities (
  partner_id text not null,
  issuer text not null,
  subject text not null,
  member_id bigint not null,
  linked_at timestamptz not null default now(),
  primary key (partner_id, issuer, subject),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call enable_tenant_isolation('identities');
grant select, insert, delete on identities to dineback_app;

-- Consents with the exact text that was shown. Append-only.
create table consents (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  channel text not null check (channel in ('email', 'sms', 'card', 'terms')),
  topic text not null,
  granted boolean not null,
  consent_text text not null,
  consent_text_version text not null,
  source text not null,
  given_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index consents_by_member on consents (member_id, channel, topic, given_at desc);
call enable_tenant_isolation('consents');
grant select, insert on consents to dineback_app;

-- Keyed hashes of the identifiers of deleted accounts that had earned (email address, partner number, cards): a bonus
-- for new members is for people and cards that are new. They name no member, and are deleted after two years.
create table former_member_identifiers (
  partner_id text not null references partners,
  identifier_hash bytea not null check (octet_length(identifier_hash) = 32),
  recorded_at timestamptz not null default now(),
  primary key (partner_id, identifier_hash)
);
create index former_member_identifiers_by_age on former_member_identifiers (partner_id, recorded_at);
call enable_tenant_isolation('former_member_identifiers');
grant select, insert, update, delete on former_member_identifiers to dineback_app;

-- Sessions of visitors and members. The id of a remembered session changes once a day.
create table sessions (
  id_hash bytea primary key check (length(id_hash) = 32),
  previous_hash bytea unique check (length(previous_hash) = 32),
  public_id uuid not null unique default gen_random_uuid(),
  partner_id text not null references partners,
  member_id bigint,
  csrf_token text not null,
  remembered boolean not null default false,
  started_with text not null default 'visit'
    check (started_with in ('visit', 'join', 'password', 'passkey', 'sso')),
  -- "Chrome on Windows": from the user agent, shortened.
  device text not null default '' check (length(device) <= 80),
  created_at timestamptz not null default now(),
  renewed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The last sign-in or re-authentication. Irreversible actions require a recent one.
  authenticated_at timestamptz not null default now(),
  -- From the partner's identity provider: its session id, and the ID token for signing out there.
  sso_session text,
  id_token text,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index sessions_by_member on sessions (member_id) where member_id is not null;
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_sso on sessions (partner_id, sso_session) where sso_session is not null;
call enable_tenant_isolation('sessions');
grant select, insert, update, delete on sessions to dineback_app;

-- Notifies every process, when the transaction commits, that a member's session has ended, so that its streams are
-- closed. The payload is the hash of its current id, and of its previous id if there is one.
create function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', concat_ws(',', encode(old.id_hash, 'hex'), encode(old.previous_hash, 'hex')));
  return null;
end
$$;
create trigger notify_ended after delete on sessions
  for each row when (old.member_id is not null) execute function notify_session_ended();

-- A pending sign-in at the identity provider; used once.
create table sso_attempts (
  state_hash bytea primary key,
  partner_id text not null references partners,
  session_id_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
call enable_tenant_isolation('sso_attempts');
grant select, insert, delete on sso_attempts to dineback_app;

-- A browser in which a member has signed in. It is not locked when strangers try the member's name elsewhere.
create table known_devices (
  partner_id text not null references partners,
  device_hash bytea not null check (length(device_hash) = 32),
  member_id bigint not null,
  used_at timestamptz not null default now(),
  primary key (partner_id, device_hash, member_id),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call enable_tenant_isolation('known_devices');
grant select, insert, update, delete on known_devices to dineback_app;

create table passkeys (
  id bigint generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  partner_id text not null,
  member_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  used_at timestamptz,
  unique (partner_id, credential_id),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index passkeys_by_member on passkeys (member_id);
call enable_tenant_isolation('passkeys');
grant select, insert, update, delete on passkeys to dineback_app;

-- At most one open challenge per session and purpose; deleted when it is used.
create table passkey_challenges (
  partner_id text not null references partners,
  session_id_hash bytea not null,
  purpose text not null check (purpose in ('add', 'sign-in')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (partner_id, session_id_hash, purpose)
);
call enable_tenant_isolation('passkey_challenges');
grant select, insert, update, delete on passkey_challenges to dineback_app;

-- Requests for recovery. Looked up by a job, so that the response takes as long for an unknown name.
create table recovery_requests (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  user_name text not null check (length(user_name) <= 254),
  browser_hash bytea,
  requested_at timestamptz not null default now()
);
call enable_tenant_isolation('recovery_requests');
-- Update, to lock a row while it is processed.
grant select, insert, update, delete on recovery_requests to dineback_app;

create table recoveries (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  member_id bigint not null,
  -- The long code of the email's link.
  code_hash bytea not null unique check (length(code_hash) = 32),
  -- A code of six digits for typing; valid only in the browser that requested it.
  browser_hash bytea,
  digits_hash bytea,
  tries smallint not null default 0,
  -- The token for setting a password, issued in exchange for the code.
  reset_hash bytea unique check (length(reset_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index recoveries_by_member on recoveries (member_id);
create index recoveries_by_expiry on recoveries (expires_at);
create index recoveries_by_browser on recoveries (browser_hash) where digits_hash is not null;
call enable_tenant_isolation('recoveries');
grant select, insert, update, delete on recoveries to dineback_app;

-- An operator sees the app as a member does. Rows are retained: operator, member, reason and time.
create table impersonations (
  id bigint generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  partner_id text not null,
  member_id bigint not null,
  operator_id bigint not null,
  operator_name text not null,
  may_change boolean not null,
  reason text not null check (length(reason) between 3 and 200),
  -- The one-time token that hands the impersonation from the console to the member app.
  handoff_hash bytea not null unique check (length(handoff_hash) = 32),
  handoff_expires_at timestamptz not null,
  session_hash bytea unique check (length(session_hash) = 32),
  csrf_token text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ends_at timestamptz,
  ended_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index impersonations_by_member on impersonations (member_id, id desc);
call enable_tenant_isolation('impersonations');
grant select, update on impersonations to dineback_app;

create function notify_impersonation_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', encode(new.session_hash, 'hex'));
  return null;
end
$$;
create trigger notify_ended after update on impersonations
  for each row when (old.ended_at is null and new.ended_at is not null and new.session_hash is not null)
  execute function notify_impersonation_ended();
