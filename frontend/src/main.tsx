import { reporter, settings } from './app/start-page.ts';
import { mount } from './app/mount.tsx';
import './ui/tokens.css';
import './ui/base.css';

mount(document, reporter, settings);
