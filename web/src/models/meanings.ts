// What settings mean, in the order in which a person looks for them. One that is not named here is
// shown without words.

export interface Group {
  title: string;
  keys: Record<string, string>;
}

export const GROUPS: Group[] = [
  {
    title: 'Answers',
    keys: {
      model: 'whom to ask when nobody is named; several with commas',
      'models.timeout_seconds': 'seconds that a whole answer may take',
      profile: 'how much context a turn gets: lean or project',
      'user.role': 'who you are, for every model',
      'user.time_zone': 'as in Europe/Berlin',
    },
  },
  {
    title: 'Budgets',
    keys: {
      'budget.usd_per_day': 'dollars a day; a warning at 80 %, an end at 100 %',
      'budget.usd_per_month': 'dollars a month, likewise',
      'summaries.tokens_per_day': 'tokens a day for summaries of stored contents',
      'summaries.tokens_per_thread': 'tokens of a conversation for them',
      'summaries.usd_per_day': 'dollars a day for them',
    },
  },
  {
    title: 'Keeping and forgetting',
    keys: {
      'forget.grace_days': 'days that what was deleted can be brought back',
      'receipts.days': 'days that the context of an answer can be viewed',
      'backups.days': 'days that backups are kept',
    },
  },
  {
    title: 'Consulting',
    keys: {
      'consult.assistants': 'names of assistants with their models',
      'consult.enable_stable_inline_list': 'false sends all files each time',
      'consult.shadow': 'true records the list without following it',
      'consult.retention_days': 'days after which an unused session ends',
      'consult.hosted_store': 'true lets OpenAI’s models search at OpenAI',
      'files.skip': 'folders that are not read, as in fixtures, !vendor: ! reads one nevertheless',
    },
  },
  {
    title: 'Limits',
    keys: {
      'limits.threads': 'conversations at most',
      'limits.messages': 'messages of a conversation at most',
      'limits.personas': 'personas at most',
      'limits.bytes': 'bytes of everything at most',
    },
  },
];

export const REST = 'The program';

/** What holds where a setting is empty. */
export const USUAL: Record<string, string> = {
  model: 'the strongest that can be asked',
  'user.role': 'not told',
  'user.time_zone': 'not told',
  'budget.usd_per_day': 'no limit',
  'budget.usd_per_month': 'no limit',
  'consult.assistants': 'those whose providers are set up',
  'consult.enable_stable_inline_list': 'true',
  'consult.shadow': 'false',
  'consult.retention_days': '183',
  'consult.hosted_store': 'false',
  'files.skip': 'none besides the usual ones',
};

/** Those that are true or false. */
export const SWITCHES = new Set([
  'consult.enable_stable_inline_list',
  'consult.shadow',
  'consult.hosted_store',
  'server.tokens_required',
]);
